import type { Informer } from '../../api/informer.ts';

interface Watched {
  /** As messages name it. */
  readonly resource: string;
  readonly informer: Pick<Informer<never>, 'lastRevision'>;
}

/** A resource whose cache is behind the controller's own last write of it. */
export interface StaleResource {
  readonly resource: string;
  readonly read: number;
  readonly written: number;
}

/**
 * What a controller wrote for each key, by resource: a sync is refused while its cache does not show that yet (1.36).
 * Source: pkg/controller/util/consistency; N-020.
 */
export class OwnWrites {
  private readonly watched: readonly Watched[];
  private readonly written = new Map<string, Map<string, number>>();

  constructor(watched: readonly Watched[]) {
    this.watched = watched;
  }

  wrote(key: string, resource: string, resourceVersion: number): void {
    const known = this.written.get(key) ?? new Map<string, number>();
    this.written.set(key, known);
    known.set(resource, Math.max(resourceVersion, known.get(resource) ?? 0));
  }

  /** The first resource whose cache is behind; null when all caches show everything. */
  stale(key: string): StaleResource | null {
    for (const { resource, informer } of this.watched) {
      const written = this.written.get(key)?.get(resource) ?? 0;
      if (informer.lastRevision < written) return { resource, read: informer.lastRevision, written };
    }
    return null;
  }

  forget(key: string): void {
    this.written.delete(key);
  }
}
