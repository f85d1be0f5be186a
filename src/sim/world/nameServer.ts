import type { PeersInput } from '../clientInput.ts';
import type { Ref } from '../trace/ref.ts';

/** What a resolver says of a name. */
export interface NameAnswer {
  /** Who knew it. */
  readonly from: string;
  /** `ip:port`; none: there is no such name. */
  readonly backends: readonly string[];
  /** It may be repeated for so many seconds; a whole number, as on the wire. */
  readonly ttl: number;
  readonly ref: Ref;
}

/** The resolver of what runs on nodes: there is one as soon as a cluster runs. */
export class NameServer {
  /** What the resolver before `node` says of the name of those peers, now. `asker`: whose own cache it passes. */
  lookUp: ((peers: PeersInput, node: string, asker: string) => NameAnswer) | null = null;
}

/** As `kubectl` and `dig` would show the addresses of an answer. */
export function answerText({ backends }: Pick<NameAnswer, 'backends'>): string {
  const ips = backends.map((backend) => backend.slice(0, backend.lastIndexOf(':')));
  return ips.length > 0 ? ips.join(', ') : 'NXDOMAIN';
}
