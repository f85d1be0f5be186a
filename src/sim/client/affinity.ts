import { later, type Micros, seconds } from '../../base/units.ts';

/** Where a node sent its clients last, for Services with ClientIP affinity (P-036). */
export class Affinity {
  private readonly last = new Map<string, { readonly backend: string; readonly at: Micros }>();

  /** The backend of the client's last new connection, while it has rules and its time lasts; else `drawn`. */
  choose(client: string, backends: readonly string[], drawn: string, lasts: number, now: Micros): string {
    const before = this.last.get(client);
    const holds = before && now < later(before.at, seconds(lasts)) && backends.includes(before.backend);
    const backend = holds ? before.backend : drawn;
    this.last.set(client, { backend, at: now });
    return backend;
  }
}
