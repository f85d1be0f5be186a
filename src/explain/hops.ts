/**
 * The seven hops of the architecture page, and how the time of a path is shared out among them. Gapless: each part begins
 * where the one before it ends, and together they are the whole. Time in which none of the seven parties has anything to
 * do is no hop of theirs, and has a part of its own:
 *
 *     in    1 · 2 · gate · 3 · 4 · 5 · 6 · 7      somebody outside has to open a readiness gate
 *     out   1 · 2 · 3 · 4 · 5 · fallback · 6      the rules are right to keep the Pod: no ready one is left (P-051)
 *     out   silence · 5 · fallback · 6            its node is silent, until the node controller gives it up (N-031)
 */
import type { Micros } from '../base/units.ts';
import type { EventRef } from '../sim/trace/kinds.ts';
import type { Joining, Leaving, Moment, PodPath } from './path.ts';

/** 1 wait for probe, 2 probe, 3 syncLoop, 4 PATCH, 5 slice write, 6 rule sync, 7 next attempt. */
export type HopNumber = 1 | 2 | 3 | 4 | 5 | 6 | 7;
/** A part of a path: a hop, or a wait that is none. */
export type PathPart = HopNumber | 'gate' | 'silence' | 'fallback';

export const hopNumberOf = (part: PathPart): HopNumber | null => (typeof part === 'number' ? part : null);

export interface Hop {
  readonly hop: PathPart;
  readonly from: Micros;
  /** Null: it is never over. */
  readonly to: Micros | null;
  /** The events that it lies between. */
  readonly start: EventRef;
  readonly end: EventRef | null;
  /** Of the whole, 0 to 1; what is not over counts to the end of the budget. */
  readonly share: number;
}

/** One path as a client of one node meets it. */
export interface Budget {
  readonly direction: 'joining' | 'leaving';
  readonly path: PodPath;
  readonly node: string;
  readonly from: Micros;
  /** Null: it never comes to its end; `waitingFor` says which part does not. */
  readonly to: Micros | null;
  readonly waitingFor: PathPart | null;
  /** Its end; of one that has none where the Pod leaves before, else that of the run. */
  readonly end: Micros;
  /** The Pod leaves before it has joined. */
  readonly leftBefore: boolean;
  readonly hops: readonly Hop[];
  readonly longest: PathPart | null;
}

/** The end of a hop; null: not before the run ends. */
interface Stage {
  readonly hop: PathPart;
  readonly end: Moment | null;
}

/**
 * From the app's first good answer to the first request answered, or on a node without clients to its rules; of a Pod that no kubelet runs, from its being ready in
 * the API. What was over before the app could answer has no length. Null when the app never answers, the node has no kube-proxy, or its rules are rightly without the Pod. `horizon`: the run's end.
 */
export function joiningBudget(path: PodPath, node: string, horizon: Micros): Budget | null {
  const { appCanAnswer, statusVersion, patchCommit, sliceCommit, nodes } = path.joining;
  const own = nodes.find((candidate) => candidate.node === node);
  const start = appCanAnswer ?? (statusVersion === null ? patchCommit : null);
  if (start === null || own === undefined || path.leftOutOn.includes(node)) return null;
  const { rulesInForce, firstServed } = own;
  const stages: readonly Stage[] = [
    ...stagesToReady(path),
    { hop: 3, end: statusVersion },
    { hop: 4, end: patchCommit },
    { hop: 5, end: sliceCommit },
    ...(path.hasRules ? [{ hop: 6, end: rulesInForce } as const] : []),
    ...(own.isAsked ? [{ hop: 7, end: firstServed && { at: firstServed.end, ref: firstServed.ref } } as const] : []),
  ];
  const budget = budgetOf('joining', path, node, start, stages, (part) => leaves(path, node, part) ?? horizon);
  const isLate = budget.to === null && budget.end === budget.from;
  return isLate ? null : { ...budget, leftBefore: budget.to === null && budget.end < horizon };
}

/** From when on a Pod that waits for this part waits for nothing any more; null: to the run's end it may come. */
function leaves({ deleted, leaving }: PodPath, node: string, part: PathPart): Micros | null {
  if (part === 7) return leaving?.nodes.find((own) => own.node === node)?.rulesWithout?.at ?? null;
  if (part === 6) return leaving?.sliceCommit.at ?? null;
  return deleted?.at ?? null;
}

/** Where the containers are ready and a gate is not, the kubelet waits for others, whether a probe was asked or not. */
function stagesToReady({ joining, gate }: PodPath): readonly Stage[] {
  if (gate === null) return probeStages(joining);
  if (joining.statusVersion !== null) return [...probeStages(joining), { hop: 'gate', end: gate.opened }];
  const { containersReady } = gate;
  if (containersReady === null) return probeStages(joining);
  return [...probeStages(containersReady).filter(({ end }) => end !== null), { hop: 'gate', end: gate.opened }];
}

const probeStages = ({ probe, resultSet }: Pick<Joining, 'probe' | 'resultSet'>): readonly Stage[] => [
  { hop: 1, end: probe && { at: probe.start, ref: probe.ref } },
  { hop: 2, end: resultSet },
];

/**
 * From the cause of the removal to the rules without the Pod. Null when it never leaves, when the node's rules never had
 * it, or when the node has no kube-proxy.
 */
export function leavingBudget(path: PodPath, node: string, horizon: Micros): Budget | null {
  const { leaving, joining } = path;
  const own = leaving?.nodes.find((candidate) => candidate.node === node);
  const had = joining.nodes.some((candidate) => candidate.node === node && candidate.rulesInForce !== null);
  if (leaving === null || own === undefined || !(had || !path.hasRules)) return null;
  const start = startOfLeaving(leaving);
  const stages: readonly Stage[] = [
    ...(leaving.cause === 'delete' ? [] : stagesToCommit(leaving)),
    { hop: 5, end: leaving.sliceCommit },
    ...(own.fallback === null ? [] : [{ hop: 'fallback', end: own.fallback.end } as const]),
    ...(path.hasRules ? [{ hop: 6, end: own.rulesWithout } as const] : []),
  ];
  return start && budgetOf('leaving', path, node, start, stages, () => horizon);
}

/** What set the removal off: the deletion, the exit, the gate, or for a failing probe the app that stopped answering. */
function startOfLeaving(leaving: Leaving): Moment | null {
  const { cause, deleteCommit, containerExit, conditionPatch, appStopsAnswering, probe } = leaving;
  switch (cause) {
    case 'delete':
      return deleteCommit ?? leaving.podRemoved;
    case 'containerExit':
      return containerExit;
    case 'condition':
      return conditionPatch;
    case 'node':
      return leaving.nodeSilent;
    case 'marked':
      return leaving.patchCommit;
    default: {
      const asked = probe && { at: probe.start, ref: probe.ref };
      // An app may fail its probe and serve on: then nothing stopped, and the attempt itself is the first to know.
      return appStopsAnswering && asked && appStopsAnswering.at < asked.at ? appStopsAnswering : asked;
    }
  }
}

const stagesToCommit = ({ probe, resultSet, statusVersion, patchCommit, nodeSilent }: Leaving): readonly Stage[] => [
  ...(nodeSilent === null ? [] : [{ hop: 'silence', end: patchCommit } as const]),
  ...probeStages({ probe, resultSet }),
  ...(statusVersion === null ? [] : [{ hop: 3, end: statusVersion } as const, { hop: 4, end: patchCommit } as const]),
];

/** Hops that a later one shows to be over, or not to apply, and that have no end of their own are left out. `endOf`: of a part that is never over. */
function budgetOf(
  direction: Budget['direction'],
  path: PodPath,
  node: string,
  start: Moment,
  stages: readonly Stage[],
  endOf: (part: PathPart) => Micros,
): Budget {
  const lastKnown = stages.findLastIndex(({ end }) => end !== null);
  const applying = stages.filter(({ end }, i) => end !== null || i === lastKnown + 1);
  const hops: Omit<Hop, 'share'>[] = [];
  let before = start;
  for (const { hop, end } of applying) {
    const isOver = end !== null && end.at > before.at;
    const to = end === null ? null : isOver ? end.at : before.at;
    hops.push({ hop, from: before.at, to, start: before.ref, end: end?.ref ?? null });
    if (isOver) before = end;
  }
  const last = hops.at(-1);
  const to = last === undefined ? start.at : last.to;
  const waitingFor = to === null ? (last?.hop ?? null) : null;
  const end = to ?? (Math.max(before.at, waitingFor === null ? start.at : endOf(waitingFor)) as Micros);
  const whole = end - start.at;
  const lengthOf = (hop: Omit<Hop, 'share'>): number => (hop.to ?? end) - hop.from;
  const longest = hops.reduce<Omit<Hop, 'share'> | undefined>(
    (most, hop) => (lengthOf(hop) > (most === undefined ? 0 : lengthOf(most)) ? hop : most),
    undefined,
  );
  return {
    direction,
    path,
    node,
    from: start.at,
    to,
    waitingFor,
    end,
    leftBefore: false,
    hops: hops.map((hop) => ({ ...hop, share: whole > 0 ? lengthOf(hop) / whole : 0 })),
    longest: longest?.hop ?? null,
  };
}
