import type { Resource } from '../api/objects.ts';
import { undecided } from '../api/writes.ts';
import type { WorkloadContext } from '../controllers/workloads/context.ts';
import type { Ref } from '../trace/ref.ts';

/** What a request of the script asks for. */
interface Asked {
  readonly verb: 'patch' | 'delete' | 'create' | 'update';
  readonly subresource?: '' | 'status';
  readonly resource: Resource;
  readonly name: string;
}

/** The trace of what a script does: its actions, and its requests, which are decided at once. */
export class ScriptRequests {
  private readonly context: WorkloadContext;
  /** Of its requests. */
  readonly subject: number;

  constructor(context: WorkloadContext) {
    this.context = context;
    const nowhere = { node: '', pod: '', container: '', probe: '' } as const;
    this.subject = context.trace.subjectOf({ component: 'api', ...nowhere, object: 'script' });
  }

  /** Sends a request; `commit` returns false when nothing changed. */
  write(asked: Asked, cause: Ref, commit: (write: Ref) => boolean): void {
    const { trace, kernel, store } = this.context;
    const payload = { ...undecided({ actor: 'script', ...asked, committedAt: kernel.now }), code: 200 };
    const write = trace.event('apiWrite', kernel.now, this.subject, payload, [cause]);
    const changed = commit(write);
    trace.end<'apiWrite'>(write, kernel.now, changed ? { resourceVersion: store.lastRevision } : { noop: 1 }, false);
  }

  /** The event of an action, about a node, a Pod (identity) or an object (`resource/key`). */
  happens(
    action: string,
    about: { readonly node?: string; readonly pod?: string; readonly object?: string; readonly detail?: string },
  ): Ref {
    const { trace, kernel } = this.context;
    const { node = '', pod = '', object = '', detail = '' } = about;
    const subject = trace.subjectOf({ component: 'world', node, pod, container: '', probe: '', object });
    return trace.event('action', kernel.now, subject, { action, detail });
  }
}
