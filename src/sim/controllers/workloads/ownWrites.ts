import type { Informer } from '../../api/informer.ts';
import type { WorkloadContext } from './context.ts';

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
  private readonly context: Pick<WorkloadContext, 'draws' | 'kernel'>;
  private readonly watched: readonly Watched[];
  private readonly written = new Map<string, Map<string, number>>();

  constructor(context: Pick<WorkloadContext, 'draws' | 'kernel'>, watched: readonly Watched[]) {
    this.context = context;
    this.watched = watched;
  }

  wrote(key: string, resource: string, resourceVersion: number): void {
    const known = this.written.get(key) ?? new Map<string, number>();
    this.written.set(key, known);
    known.set(resource, Math.max(resourceVersion, known.get(resource) ?? 0));
  }

  /** A resource whose cache is behind; null when all caches show everything. Which of several is that of a Go map: drawn. */
  stale(key: string): StaleResource | null {
    const stale = this.watched.flatMap(({ resource, informer }): StaleResource[] => {
      const written = this.written.get(key)?.get(resource) ?? 0;
      return informer.lastRevision < written ? [{ resource, read: informer.lastRevision, written }] : [];
    });
    if (stale.length < 2) return stale[0] ?? null;
    const { draws, kernel } = this.context;
    const names = stale.map(({ resource }) => resource);
    const told = draws.choice(`staleCache/${key}@${kernel.now}`, kernel.now, names);
    return stale.find(({ resource }) => resource === told) ?? null;
  }

  forget(key: string): void {
    this.written.delete(key);
  }
}
