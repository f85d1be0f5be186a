import { isPodReady } from '../api/apiPod.ts';
import type { ApiServer } from '../api/apiServer.ts';
import { Informer } from '../api/informer.ts';
import type { RolloutInput } from '../clusterInput.ts';
import type { ClusterContext } from '../controllers/context.ts';
import { Gate, type Task } from '../kernel/kernel.ts';
import type { PodInput } from '../scenario.ts';
import { NO_REF, type Ref } from '../trace/ref.ts';

/**
 * An actor that replaces Pods one after the other: creates a new one, waits until it sees it Ready, and deletes an old
 * one. It stands for a Deployment's controllers where those do not run.
 */
export class Rollout {
  private readonly context: ClusterContext;
  private readonly api: ApiServer;
  private readonly input: RolloutInput;
  private readonly pods: Informer<'pods'>;
  /** Opens at the next delivery. */
  private changed = new Gate();

  constructor(context: ClusterContext, api: ApiServer, input: RolloutInput) {
    this.context = context;
    this.api = api;
    this.input = input;
    const { kernel, trace, store } = context;
    const nowhere = { node: '', pod: '', container: '', probe: '' } as const;
    const subject = trace.subjectOf({ component: 'world', ...nowhere, object: 'rollout' });
    const { watch: latency } = input;
    const listExtra = context.input.latency.listExtra;
    const common = { kernel, trace, store, latency, listExtra, subject } as const;
    this.pods = new Informer({ ...common, resource: 'pods', phase: 'app' });
    this.pods.onEvent(() => {
      const { changed } = this;
      this.changed = new Gate();
      changed.open();
    });
  }

  /** Begins at its instant, and watches from then on. */
  start(): void {
    const { kernel } = this.context;
    kernel.at(this.input.at, 'app', () => {
      this.pods.startWatch();
      kernel.start(this.replaceAll(), 'app');
    });
  }

  private *replaceAll(): Task<void> {
    const { request, response, minReady, waitGone, replace } = this.input;
    const names = (identities: readonly string[]): string =>
      identities.map((identity) => identity.slice(identity.indexOf('/') + 1)).join(', ');
    const added = names(replace.map(({ add }) => add.identity));
    this.happens('rollingReplace', '', NO_REF, `${added} / ${names(replace.map(({ remove }) => remove))}`);
    for (const { add, remove } of replace) {
      yield request;
      const created = this.happens('createPod', add.identity, NO_REF);
      this.api.create(add, created);
      yield* this.waitFor(() => this.isReady(add));
      yield minReady;
      yield request;
      this.delete(remove, created);
      yield response;
      if (waitGone) yield* this.waitFor(() => this.pods.get(remove) === undefined);
    }
    this.pods.stop();
  }

  private isReady({ identity }: PodInput): boolean {
    const pod = this.pods.get(identity);
    return pod !== undefined && isPodReady(pod);
  }

  private delete(identity: string, cause: Ref): void {
    const pod = this.api.get(identity);
    if (!pod) return;
    const grace = this.api.graceOf(pod, null);
    this.api.delete(identity, grace, this.happens('deletePod', identity, cause, String(grace)));
  }

  private *waitFor(holds: () => boolean): Task<void> {
    while (!holds()) yield this.changed;
  }

  private happens(action: string, pod: string, cause: Ref, detail = ''): Ref {
    const { trace, kernel } = this.context;
    const nowhere = { node: '', container: '', probe: '', object: '' } as const;
    const subject = trace.subjectOf({ component: 'world', pod, ...nowhere });
    return trace.event('action', kernel.now, subject, { action, detail }, [cause]);
  }
}
