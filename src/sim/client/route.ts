import type { Ref } from '../trace/ref.ts';

/** Where a new connection goes. */
export interface Choice {
  /** To a backend; refused or dropped by a rule; no server behind an ipvs address; no address for the name. */
  readonly verdict: 'backend' | 'reject' | 'drop' | 'noAddress';
  /** `ip:port`; '' without one. */
  readonly backend: string;
  /** How many there were to choose from. */
  readonly of: number;
  /** Node whose rules decided; '' where none did. */
  readonly via: string;
  /** What put that in force. */
  readonly ref: Ref;
  /** Why that node: the balancer's last word on it. Absent: nobody chose among nodes. */
  readonly nodeChosenBy?: Ref;
}

/** How the connections of a client find a backend. */
export interface Route {
  /** What comes before a connection, such as a look-up of a name, and then `then`; null for nothing. */
  readonly resolve: ((then: () => void) => void) | null;
  /** `fraction` in [0, 1) decides among equals; `tried`: backends that this request has met. */
  choose(fraction: number, tried: ReadonlySet<string>): Choice;
}

/** One of `list`. */
export const pickOne = <T>(list: readonly T[], fraction: number): T | undefined =>
  list[Math.floor(fraction * list.length)];
