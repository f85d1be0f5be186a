import type { Informer, InformerEvent } from '../../src/sim/api/informer.ts';
import type { Resource } from '../../src/sim/api/objects.ts';
import type { Stored } from '../../src/sim/api/store.ts';
import { NO_REF } from '../../src/sim/trace/ref.ts';

/** A cache that a test fills by hand. */
export class InformerDouble<R extends Resource> {
  readonly resource: R;
  private readonly cache = new Map<string, Stored[R]>();
  private readonly handlers: ((event: InformerEvent<R>) => void)[] = [];

  constructor(resource: R) {
    this.resource = resource;
  }

  /** What the code under test sees of it. */
  get informer(): Informer<R> {
    const seen: Pick<Informer<R>, 'get' | 'values' | 'onEvent'> = {
      get: (key) => this.cache.get(key),
      values: () => this.cache.values(),
      onEvent: (handler) => this.handlers.push(handler),
    };
    return seen as Informer<R>;
  }

  /** Delivers an object; null takes it away. */
  set(key: string, now: Stored[R] | null): void {
    const old = this.cache.get(key) ?? null;
    if (now) this.cache.set(key, now);
    else this.cache.delete(key);
    for (const handler of this.handlers) handler({ key, old, now, ref: NO_REF });
  }
}
