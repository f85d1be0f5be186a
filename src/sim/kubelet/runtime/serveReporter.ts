import type { Micros } from '../../../base/units.ts';
import type { Timer } from '../../kernel/kernel.ts';
import type { ContainerInput, PodInput } from '../../scenario.ts';
import type { Ref } from '../../trace/ref.ts';
import type { AppProcess } from '../../world/app.ts';
import { type NodeContext, subjectOf } from '../context.ts';

/** Writes down each change of what a new connection to a process meets, from its start to its end. */
export class ServeReporter {
  private readonly context: NodeContext;
  private readonly process: AppProcess;
  private readonly subject: number;
  private timer: Timer | null = null;
  /** As the trace has it. */
  private said = '';

  constructor(context: NodeContext, pod: PodInput, container: ContainerInput, process: AppProcess) {
    this.context = context;
    this.process = process;
    this.subject = subjectOf(context, 'app', pod, container.name);
  }

  /** Something happened to the process: what does a connection meet from now on? */
  look(cause: Ref): void {
    this.forget();
    const { kernel } = this.context;
    const { state, code } = this.process.serve(kernel.now);
    this.say(state, state === 'answer' ? code : 0, cause);
    const next = this.process.nextServe(kernel.now);
    if (Number.isFinite(next)) this.timer = kernel.at(next as Micros, 'app', () => this.look(cause));
  }

  /** The process has ended: nobody listens. */
  end(cause: Ref): void {
    this.forget();
    this.say('refuse', 0, cause);
  }

  private forget(): void {
    if (this.timer) this.timer.cancelled = true;
  }

  private say(state: string, code: number, cause: Ref): void {
    const now = `${state} ${code}`;
    if (now === this.said) return;
    this.said = now;
    const { trace, kernel } = this.context;
    trace.event('appServe', kernel.now, this.subject, { state, code }, [cause]);
  }
}
