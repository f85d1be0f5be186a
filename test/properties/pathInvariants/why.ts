import { micros } from '../../../src/base/units.ts';
import { waitOf } from '../../../src/explain/shorten.ts';
import type { Link, Why } from '../../../src/explain/why.ts';
import { apiPodKey } from '../../../src/sim/trace/podObject.ts';
import type { Invariant } from '../invariant.ts';
import type { PathObservation } from '../pathObservation.ts';

const about = ({ pod, node, at }: Why): string => `${pod.identity} on ${node ?? 'all nodes'} at ${at}`;
const isSame = (a: Link) => (b: Link) =>
  a.kind === b.kind && a.container === b.container && a.probe === b.probe && a.hop === b.hop;

interface StoredPod {
  readonly metadata: { readonly deletionTimestamp?: string };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}
interface StoredSlice {
  readonly endpoints: readonly {
    readonly conditions: { readonly ready?: boolean };
    readonly targetRef?: { readonly uid: string };
  }[];
}

/** What a link must say by the events alone; null where nothing is read here. */
function saidBy(run: PathObservation, { pod, at }: Why, { kind, container, probe }: Link): boolean | null {
  const stored = run.reader.versionsOf(apiPodKey(pod.identity)).findLast(({ since }) => since <= at);
  const json = stored === undefined ? null : (run.json(stored.index) as StoredPod);
  const own = <
    T extends { readonly at: number; readonly subject: { readonly pod: string; readonly container: string } },
  >(
    events: readonly T[],
  ): T | undefined =>
    events.findLast(
      (event) => event.at <= at && event.subject.pod === pod.identity && event.subject.container === container,
    );
  switch (kind) {
    case 'app':
      return own(run.of('appState'))?.payload.state === 'serving';
    case 'probe': {
      const set = own(run.of('resultSet').filter(({ subject }) => subject.probe === probe));
      return set === undefined || set.payload.result !== 'success' ? false : null;
    }
    case 'api':
      return json === null
        ? null
        : (json.status?.conditions ?? []).some(({ type, status }) => type === 'Ready' && status === 'True');
    case 'slice': {
      const slices = new Map<string, StoredSlice | null>();
      for (const { at: t, subject, payload } of run.of('stored'))
        if (t <= at && subject.object.startsWith('endpointslices/'))
          slices.set(subject.object, payload.object < 0 ? null : (run.json(payload.object) as StoredSlice));
      return [...slices.values()].some((slice) =>
        (slice?.endpoints ?? []).some(
          ({ conditions, targetRef }) => conditions.ready !== false && targetRef?.uid === pod.uid,
        ),
      );
    }
    default:
      return null;
  }
}

/** `why` says what the trace says. */
export const WHY_INVARIANTS: readonly Invariant<PathObservation>[] = [
  {
    name: 'a Pod is called a backend exactly where the rules in force have it (P-050)',
    check: (run, find) => {
      for (const why of run.whys) {
        const nodes = why.node === null ? run.meant(why.pod) : [why.node];
        const holds = nodes.length > 0 && nodes.every((node) => run.holds(node, why.pod, why.at));
        find.that(why.isBackend === holds, () => `${about(why)}: ${why.isBackend}`);
      }
    },
  },
  {
    name: 'what is predicted comes true, and not before',
    check: (run, find) => {
      for (const why of run.whys) {
        const { pod, node, at, comesTrueAt, isBackend } = why;
        const changes = (node === null ? run.nodes : [node]).flatMap((name) =>
          run.rules(name).map((version) => version.at),
        );
        const next = changes
          .filter((t) => t > at)
          .sort((a, b) => a - b)
          .find((t) => run.why(pod, node, t).isBackend);
        if (!isBackend) find.that(comesTrueAt === (next ?? null), () => `${about(why)}: ${comesTrueAt}, not ${next}`);
      }
    },
  },
  {
    name: 'each link says what the events say',
    check: (run, find) => {
      for (const why of run.whys)
        for (const link of why.links) {
          const said = saidBy(run, why, link);
          if (said !== null)
            find.that((link.says === 'yes') === said, () => `${about(why)}: ${link.kind} ${link.says}`);
        }
    },
  },
  {
    name: 'a link that holds since an instant held then, and not just before',
    check: (run, find) => {
      for (const why of run.whys)
        for (const link of why.links) {
          if (link.says !== 'yes' || link.since === null || link.since <= 0) continue;
          const [before, then] = [link.since - 1, link.since].map((t) =>
            run.why(why.pod, why.node, micros(t)).links.find(isSame(link)),
          );
          find.that(
            then?.says === 'yes' && (before?.says !== 'yes' || before.value !== link.value),
            () => `${about(why)}: ${link.kind} since ${link.since}`,
          );
        }
    },
  },
  {
    name: 'a link that comes at an instant holds then',
    check: (run, find) => {
      for (const why of run.whys)
        for (const link of why.links) {
          if (link.comesAt === null) continue;
          const then = run.why(why.pod, why.node, link.comesAt).links.find(isSame(link));
          find.that(
            link.says !== 'yes' && then?.says === 'yes',
            () => `${about(why)}: ${link.kind} at ${link.comesAt}`,
          );
        }
    },
  },
  {
    name: 'exactly what is no backend has a missing link, and that does not hold',
    check: (run, find) => {
      for (const why of run.whys) {
        const { missing, isBackend, cannotTell } = why;
        find.that((missing !== null) === (!isBackend && cannotTell === null), () => `${about(why)}: ${missing?.kind}`);
        if (missing !== null) find.that(missing.says !== 'yes', () => `${about(why)}: ${missing.kind}`);
      }
    },
  },
  {
    name: 'a wait spans the instant that was asked about',
    check: (run, find) => {
      for (const why of run.whys) {
        const wait = waitOf(run.run, why);
        if (wait !== null)
          find.that(wait.from <= why.at && wait.to > why.at, () => `${about(why)}: ${wait.from} to ${wait.to}`);
      }
    },
  },
];
