/** Why a Pod has no node. */
import type { Micros } from '../base/units.ts';
import type { PodInput } from '../sim/scenario.ts';
import type { FinishedRun } from '../sim/trace/run.ts';
import { lastOfKind, subjectsOfPod } from './lookUp.ts';

/** What the scheduler said last of a Pod that fits nowhere, as its FailedScheduling event has it; '' when it has said nothing. */
export function unschedulableReason({ reader }: FinishedRun, { identity }: PodInput, at: Micros): string {
  const subjects = subjectsOfPod(reader, identity, ({ component }) => component === 'scheduler');
  const said = lastOfKind(reader, subjects, 'controllerLog', at)?.payload.values ?? '{}';
  return (JSON.parse(said) as { readonly reason?: string }).reason ?? '';
}
