/** What a selection lights: its causes and effects as links between lanes. */
import { type CauseLink, chainOf, hopsAround } from '../../explain/causes.ts';
import { asKind } from '../../explain/lookUp.ts';
import type { EventRef } from '../../sim/trace/kinds.ts';
import { apiPodKey, conditionOf, podStatusOf } from '../../sim/trace/podObject.ts';
import type { TraceReader } from '../../sim/trace/reader.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import type { DrawnPath } from '../../state/viewStore.ts';
import type { Link, LinkEnd } from '../../timeline/draw/chain.ts';
import { refKey } from '../../timeline/draw/frame.ts';
import { laneId, laneOf } from '../../timeline/model/lane.ts';

export interface LitChain {
  readonly links: readonly Link[];
  readonly lit: ReadonlySet<string> | null;
  readonly selected: LinkEnd | null;
}

export const NOTHING_LIT: LitChain = { links: [], lit: null, selected: null };

/** One hop each way from an event: what led to it and what it led to. Nothing is dimmed for it. */
export function hopsOf({ reader }: FinishedRun, ref: EventRef, shown: ReadonlySet<string>): readonly Link[] {
  return linksBetween(reader, hopsAround(reader, ref), shown);
}

/** The whole chain of a selection, drawn between the lanes that are `shown`. */
export function litChain({ reader }: FinishedRun, selected: EventRef, shown: ReadonlySet<string>): LitChain {
  const links = chainOf(reader, selected);
  const refs = [selected, ...links.flatMap(({ cause, effect }) => [cause, effect])];
  const lit = new Map(refs.map((ref) => [refKey(ref), ref]));
  return {
    links: [...linksBetween(reader, links, shown), ...[...lit.values()].flatMap((ref) => commitLink(reader, ref))],
    lit: new Set(lit.keys()),
    selected: endOf(reader, selected),
  };
}

/** A path from event to event, each link with the number of its hop; what lies between on a folded lane is passed over. */
export function pathChain({ run: { reader }, steps }: DrawnPath, shown: ReadonlySet<string>): LitChain {
  const ends = steps.flatMap(({ ref, hop }) => {
    const end = endOf(reader, ref);
    return end === null || !shown.has(end.laneId) ? [] : [{ end, hop }];
  });
  const links = ends.slice(1).flatMap(({ end: to, hop }, i): Link[] => {
    const from = ends[i]?.end;
    return from === undefined ? [] : [{ from, to, armed: false, number: hop }];
  });
  return { links, lit: new Set(steps.map(({ ref }) => refKey(ref))), selected: null };
}

/** A path as a thin line without numbers, beside which nothing is dimmed. */
export function thinPath(path: DrawnPath, shown: ReadonlySet<string>): LitChain {
  const links = pathChain(path, shown).links.map((link) => ({ ...link, number: null, isThin: true }));
  return { ...NOTHING_LIT, links };
}

/**
 * Links between events on shown lanes. What lies between two of them on a folded lane, or on none, is passed over:
 *
 *     PATCH → (watch → queue → sync) → slice written      is drawn as      PATCH → slice written
 */
function linksBetween(reader: TraceReader, links: readonly CauseLink[], shown: ReadonlySet<string>): readonly Link[] {
  const onward = new Map<string, CauseLink[]>();
  for (const link of links) onward.set(refKey(link.cause), [...(onward.get(refKey(link.cause)) ?? []), link]);
  const shownEnd = (ref: EventRef): LinkEnd | null => {
    const end = endOf(reader, ref);
    return end !== null && shown.has(end.laneId) ? end : null;
  };
  const ends = (link: CauseLink, passed: Set<string>): readonly LinkEnd[] => {
    const key = refKey(link.effect);
    const end = shownEnd(link.effect);
    if (end !== null) return [end];
    if (passed.has(key)) return [];
    passed.add(key);
    return (onward.get(key) ?? []).flatMap((next) => ends(next, passed));
  };
  return links.flatMap((link) => {
    const from = shownEnd(link.cause);
    return from === null ? [] : ends(link, new Set()).map((to): Link => ({ from, to, armed: link.armed }));
  });
}

function endOf(reader: TraceReader, ref: EventRef): LinkEnd | null {
  const event = reader.event(ref);
  const lane = laneOf(event, reader);
  return lane === null ? null : { at: event.at, laneId: lane };
}

/** From a PATCH that changed Ready to the band in the API that began with its commit. */
function commitLink(reader: TraceReader, ref: EventRef): Link[] {
  const event = asKind(reader.event(ref), 'apiRequest');
  const from = event === null ? null : laneOf(event, reader);
  if (event === null || from === null || event.payload.object < 0) return [];
  const versions = reader.versionsOf(apiPodKey(event.subject.pod));
  const index = versions.findIndex((version) => version.index === event.payload.object);
  const readyIn = (at: number): string | undefined => {
    const version = versions[at];
    return version === undefined ? undefined : conditionOf(podStatusOf(reader, version.index), 'Ready')?.status;
  };
  if (index < 0 || readyIn(index) === readyIn(index - 1)) return [];
  const to = laneId('condition', event.subject, '', 'Ready');
  return [{ from: { at: event.at, laneId: from }, to: { at: event.payload.committedAt, laneId: to }, armed: false }];
}
