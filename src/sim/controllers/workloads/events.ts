import type { Ref } from '../../trace/ref.ts';
import type { WorkloadController } from '../../workloadsInput.ts';
import { EventRecorder } from '../shared/eventRecorder.ts';
import type { WorkloadContext } from './context.ts';

/** The object that an Event is about: its kind, key (`namespace/name`) and UID. */
export interface About {
  readonly kind: string;
  readonly key: string;
  readonly uid: string;
  /** As in ControllerEvent. */
  readonly name?: string;
}

/** The Events of one controller of workloads or nodes. */
export class WorkloadEvents {
  private readonly recorder: EventRecorder;

  constructor(context: WorkloadContext, controller: WorkloadController) {
    this.recorder = new EventRecorder(context, controller);
  }

  tell(about: About, reason: string, message: string, cause: Ref): void {
    this.recorder.record({ ...about, eventType: 'Normal', reason, message }, cause);
  }

  warn(about: About, reason: string, message: string, cause: Ref): void {
    this.recorder.record({ ...about, eventType: 'Warning', reason, message }, cause);
  }
}
