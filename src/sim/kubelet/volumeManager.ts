import { later, type Micros, type MicrosSpan, milliseconds, seconds } from '../../base/units.ts';
import { Gate, type Task } from '../kernel/kernel.ts';
import type { PodInput } from '../scenario.ts';
import type { Ref } from '../trace/ref.ts';
import type { KubeletContext } from './context.ts';
import { beginStep } from './passSteps.ts';

const LOOK_AGAIN = milliseconds(300) as MicrosSpan;
const TIMEOUT = seconds(123) as MicrosSpan;

/**
 * Keeps a pass waiting until the volumes of its Pod are mounted: looks at once, and then each 300 ms, for at most
 * 2 min 3 s. What is mounted once stays mounted while this kubelet process lives.
 * Source: pkg/kubelet/volumemanager/volume_manager.go, WaitForAttachAndMount (K-046 step 9).
 */
export class VolumeManager {
  private readonly context: KubeletContext;
  private readonly mountedAt = new Map<string, Micros>();

  constructor(context: KubeletContext) {
    this.context = context;
  }

  areMounted(pod: PodInput): boolean {
    const mountedAt = this.mountedAt.get(pod.identity);
    return mountedAt !== undefined && mountedAt <= this.context.kernel.now;
  }

  /** Returns the error's text; empty when all is mounted. `cancelled` ends the wait at once (K-035). */
  *waitForAttachAndMount(pod: PodInput, cancelled: Gate, pass: Ref): Task<string> {
    const { kernel, latency, behaviour } = this.context;
    const mountedAt = this.mountedAt.get(pod.identity) ?? later(kernel.now, latency.syncPodVolumes);
    this.mountedAt.set(pod.identity, mountedAt);
    if (mountedAt <= kernel.now) return '';
    const end = beginStep(this.context, pod, 'volumes', pass);
    const deadline = later(kernel.now, TIMEOUT);
    while (mountedAt > kernel.now) {
      const left = (deadline - kernel.now) as MicrosSpan;
      if (behaviour.cancelsVolumeWait && cancelled.isOpen) return end('context canceled');
      if (left <= 0)
        return end(behaviour.cancelsVolumeWait ? 'context deadline exceeded' : 'timed out waiting for the condition');
      yield* this.lookAgain(Math.min(LOOK_AGAIN, left) as MicrosSpan, cancelled);
    }
    return end('');
  }

  private *lookAgain(span: MicrosSpan, cancelled: Gate): Task<void> {
    const { kernel, behaviour } = this.context;
    if (!behaviour.cancelsVolumeWait) return yield span;
    const over = new Gate();
    const timer = kernel.after(span, 'kubelet', () => over.open());
    yield Gate.any([over, cancelled]);
    timer.cancelled = true;
  }

  /** The Pod is gone from the node. */
  forget(pod: PodInput): void {
    this.mountedAt.delete(pod.identity);
  }
}
