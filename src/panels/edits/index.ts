/** Changes of the scenario's actions. Each is a change of the text, and so one undo step. */
import { addAction, type WrittenAction } from '../../io/edit/addAction.ts';
import { actionIndex, actionsOf, moveAction, removeAction, setActionField } from '../../io/edit/changeAction.ts';
import type { Edit } from '../../io/edit/scenarioText.ts';
import type { Complaint } from '../../io/issue.ts';
import { type ActionEntry, ownFieldsOf } from '../../io/schema/action.ts';
import { lastAction } from '../../timeline/model/actionFlags.ts';
import type { Stores } from '../shared/index.ts';

/** Writes an action at the playhead into the text. False: refused, and the page says why. */
export function addAtPlayhead(stores: Stores, action: WrittenAction): boolean {
  const { text } = stores.scenario.getState().history.present;
  return take(stores, addAction(text, withinRun(stores, stores.playback.getState().playhead), action));
}

/** An action as a flag of the timeline names it: what happens, and when (µs). */
export interface NamedAction {
  readonly action: string;
  readonly at: number;
}

/** Makes an action happen at `to` µs. False: refused, and the page says why. */
export function moveActionTo(stores: Stores, action: NamedAction, to: number): boolean {
  return take(
    stores,
    changed(stores, action, (text, index) => moveAction(text, index, withinRun(stores, to))),
  );
}

/** Takes an action out of the text. False: refused, and the page says why. */
export const dropAction = (stores: Stores, action: NamedAction): boolean =>
  take(stores, changed(stores, action, removeAction));

/** Gives a field of an action another value. Returns what is wrong with it; null when nothing is, or when the page says why it was refused. */
export function setField(stores: Stores, action: NamedAction, field: string, value: string): Complaint | null {
  const edit = changed(stores, action, (text, index) => setActionField(text, index, field, value));
  if (!edit.ok && edit.problem === 'invalid') return edit.complaint;
  take(stores, edit);
  return null;
}

/** The fields of an action that can be changed, with what the text says; null for one that the text does not have. */
export function fieldsOf(text: string, { action, at }: NamedAction): ReadonlyMap<string, string> | null {
  const entry = actionsOf(text)[actionIndex(text, at, action)];
  if (entry === undefined) return null;
  return new Map(['at' as const, ...ownFieldsOf(entry.do)].map((field) => [field, writtenValue(entry, field)]));
}

const LENGTHS: readonly string[] = ['at', 'down', 'lasts'];
function writtenValue(entry: ActionEntry, field: keyof ActionEntry): string {
  const value = entry[field];
  if (value === undefined) return '';
  return LENGTHS.includes(field) ? `${value}s` : `${value}`;
}

function changed(
  { scenario }: Stores,
  { action, at }: NamedAction,
  change: (text: string, index: number) => Edit,
): Edit {
  const { text } = scenario.getState().history.present;
  const index = actionIndex(text, at, action);
  return index < 0 ? { ok: false, problem: 'unclear' } : change(text, index);
}

function withinRun({ scenario }: Stores, at: number): number {
  const horizon = scenario.getState().run?.reader.data.horizon ?? Number.POSITIVE_INFINITY;
  return Math.max(0, Math.min(at, lastAction(horizon)));
}

function take({ scenario, view }: Stores, edit: Edit): boolean {
  view.setState({ refusedEdit: edit.ok ? null : edit.problem === 'hasErrors' ? edit.problem : 'unclear' });
  if (edit.ok) void scenario.getState().open({ ...scenario.getState().history.present, text: edit.text });
  return edit.ok;
}
