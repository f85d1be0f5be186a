/** What people and other programs do during a run, as flags above the lanes. */
import type { Micros } from '../../base/units.ts';
import { rowsOfKind } from '../../sim/trace/indexes.ts';
import type { EventRef } from '../../sim/trace/kinds.ts';
import type { TraceReader } from '../../sim/trace/reader.ts';

export interface ActionFlag {
  readonly at: Micros;
  /** As in the Scenario document, such as `deletePod`. */
  readonly action: string;
  /** One for each Pod or node that it is about; at least one. */
  readonly refs: readonly [EventRef, ...EventRef[]];
}

/** What happens at the very end of a run is not simulated any more: so much before it an action still counts, µs. */
const BEFORE_END = 1_000;

/** The last instant of a run (µs) at which something can be made to happen. */
export const lastAction = (horizon: number): number => Math.max(0, horizon - BEFORE_END);

/** How a run begins is no action of anybody. */
const BEGINNING: ReadonlySet<string> = new Set(['createPod', 'addStaticPod', 'create']);

/** What was done by writing an object says so before its colon: `rollOut: revision 2`. */
const nameOf = ({ action, detail }: { readonly action: string; readonly detail: string }): string =>
  action === 'patch' && detail !== '' ? detail.replace(/:.*/s, '') : action;

/** Flags in order of time. One entry of the Scenario document is one flag, however many Pods it is about. */
export function actionFlags(reader: TraceReader): readonly ActionFlag[] {
  const flags = new Map<string, ActionFlag>();
  for (const row of rowsOfKind(reader, 'action')) {
    const ref: EventRef = { row, ordinal: 0 };
    const event = reader.event(ref);
    if (event.kind !== 'action' || BEGINNING.has(event.payload.action)) continue;
    const action = nameOf(event.payload);
    const key = `${event.at}|${action}`;
    const before = flags.get(key);
    flags.set(key, { at: event.at, action, refs: before === undefined ? [ref] : [...before.refs, ref] });
  }
  return [...flags.values()].sort((a, b) => a.at - b.at);
}

const LETTER: Readonly<Record<string, string>> = {
  deletePod: 'D',
  evictPod: 'E',
  crash: 'C',
  patchCondition: 'G',
  labelPod: 'L',
  labelNode: 'L',
  setReady: 'R',
  nodeReady: 'N',
  patchSelector: 'L',
  deleteService: 'D',
  deleteSlices: 'D',
  deleteEndpoints: 'D',
  touchSlice: 'E',
  removeStaticPod: 'X',
  restartKubelet: 'T',
  cutApi: 'A',
  cutNode: 'A',
  refuseWrites: 'W',
  cutPodNetwork: 'N',
  createPod: 'C',
  patch: 'Y',
  patchPod: 'L',
  rollOut: 'U',
  rollingReplace: 'U',
  undo: 'U',
  scale: 'S',
  pause: 'P',
  resume: 'P',
  evict: 'E',
  drain: 'E',
  cordon: 'C',
  uncordon: 'C',
  patchNode: 'N',
  addTaint: 'N',
  removeTaint: 'N',
  stopNode: 'K',
  startNode: 'B',
  deleteNode: 'D',
};

/** What stands on the flag of an action. */
export const flagLetter = (action: string): string => LETTER[action] ?? '?';
