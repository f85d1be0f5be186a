/** Changes of the scenario's actions. Each is a change of the text, and so one undo step. */
import { actionIndex, addAction, type Edit, moveAction, type WrittenAction } from '../../io/edit/addAction.ts';
import type { Stores } from './index.ts';

/** Writes an action at the playhead into the text. False: refused, and the page says why. */
export function addAtPlayhead(stores: Stores, action: WrittenAction): boolean {
  const { text } = stores.scenario.getState().history.present;
  return take(stores, addAction(text, withinRun(stores, stores.playback.getState().playhead), action));
}

/** Gives the action `what` that happens at `at` µs the instant `to`. False: refused, and the page says why. */
export function moveActionTo(stores: Stores, what: string, at: number, to: number): boolean {
  const { text } = stores.scenario.getState().history.present;
  const index = actionIndex(text, at, what);
  return take(stores, index < 0 ? { ok: false, problem: 'unclear' } : moveAction(text, index, withinRun(stores, to)));
}

/** What happens at the very end of a run is not simulated any more. µs. */
const BEFORE_END = 1_000;

function withinRun({ scenario }: Stores, at: number): number {
  const horizon = scenario.getState().run?.reader.data.horizon ?? Number.POSITIVE_INFINITY;
  return Math.max(0, Math.min(at, horizon - BEFORE_END));
}

function take({ scenario, view }: Stores, edit: Edit): boolean {
  view.setState({ refusedEdit: edit.ok ? null : edit.problem });
  if (edit.ok) scenario.getState().open({ ...scenario.getState().history.present, text: edit.text });
  return edit.ok;
}
