import type { MicrosSpan } from '../../base/units.ts';
import type { Task } from '../kernel/kernel.ts';
import type { PodInput } from '../scenario.ts';
import { NO_REF, type Ref } from '../trace/ref.ts';
import { type KubeletContext, subjectOf } from './context.ts';

/** The steps of SyncPod that can take time or fail, in its order (K-046: 4, 6, 7, 8, 9, 10, 12). */
export const PASS_STEPS = ['network', 'cgroups', 'mirror', 'directories', 'volumes', 'pullSecrets', 'runtime'] as const;
export type PassStep = (typeof PASS_STEPS)[number];

/** Writes the begin of a step. The function that is returned writes its end, and hands the error back; empty for none. */
export function beginStep(
  context: KubeletContext,
  pod: PodInput,
  step: PassStep,
  pass: Ref,
): (error: string) => string {
  const { trace, kernel } = context;
  const subject = subjectOf(context, 'podWorker', pod);
  const ref = trace.event('syncPodStep', kernel.now, subject, { step, error: '' }, [pass], NO_REF, NaN);
  return (error) => {
    trace.end<'syncPodStep'>(ref, kernel.now, { error }, false);
    return error;
  };
}

/** A step that takes `length`, more than 0, and does not fail. */
export function* takeStep(
  context: KubeletContext,
  pod: PodInput,
  step: PassStep,
  length: MicrosSpan,
  pass: Ref,
): Task<void> {
  const end = beginStep(context, pod, step, pass);
  yield length;
  end('');
}
