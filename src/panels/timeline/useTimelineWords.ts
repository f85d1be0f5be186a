import { useMemo } from 'react';
import type { Strings } from '../../app/strings/en.ts';
import { formatDuration } from '../../base/format.ts';
import { containersOf, type ProbeSpec } from '../../sim/scenario.ts';
import type { TraceEvent } from '../../sim/trace/reader.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import type { Lane } from '../../timeline/model/marks.ts';
import { channelName } from '../../timeline/model/syncLoopLanes.ts';
import type { TimelineWords } from '../../timeline/view/source.ts';
import { useStrings, useWords } from '../shared/index.ts';

/** Titles and notes of lanes in the language in use. */
export function useTimelineWords({ scenario, reader }: FinishedRun): TimelineWords {
  const strings = useStrings();
  const words = useWords();
  return useMemo(() => {
    const specs = new Map(
      scenario.pods.flatMap((pod) =>
        containersOf(pod).flatMap(({ name, probes }) =>
          Object.entries(probes).map(([probe, spec]) => [`${pod.identity}|${name}|${probe}`, spec] as const),
        ),
      ),
    );
    const clients = scenario.cluster?.clients ?? [];
    const manyPods = scenario.pods.length > 1;
    const manyContainers = scenario.pods.some((pod) => containersOf(pod).length > 1);
    return {
      state: words.state,
      noProbeFor: (length) => strings.noProbeFor(formatDuration(length)),
      folded: (length) => strings.folded(formatDuration(length)),
      requests: (perSecond, lost) => strings.requests(short(perSecond), lost === 0 ? null : short(lost * 100)),
      groupKind: ({ kind, name }) => {
        if (kind === 'workload') return workloadKind(name);
        return kind === 'pod' && manyPods ? '' : strings.group[kind];
      },
      laneTitle: (lane) => titleOf(lane, strings, clients.length > 1),
      laneParts: ({ kind, part }) => (kind === 'syncLoop' ? strings.channels : strings.endpointsOf(part)),
      laneNote: (lane) => {
        const client = clients.find(({ name }) => lane.kind === 'client' && name === lane.part);
        return client === undefined
          ? noteOf(lane, strings, specs.get(`${lane.pod}|${lane.container}|${lane.part}`) ?? null, manyContainers)
          : strings.note.client(
              client.from.type === 'outside' ? strings.outside : client.from.node,
              formatDuration(client.every),
            );
      },
      needsNote: ({ container }) => manyContainers && container !== '',
      overview: strings.overview,
      overviewSpan: (length) => strings.overviewSpan(formatDuration(length)),
      lanes: strings.lanes,
      moreLanes: strings.moreLanes,
      fewerLanes: strings.fewerLanes,
      lanesOfRun: strings.lanesOfRun,
      playhead: strings.playhead,
      endMagnify: strings.endMagnify,
      action: ({ refs }) => {
        const { subject, payload } = reader.event(refs[0]) as TraceEvent<'action'>;
        const { pod, node } = subject;
        return `${words.action(payload)} ${refs.length > 1 ? `×${refs.length}` : pod || node}`;
      },
      moveAction: strings.moveAction,
    };
  }, [scenario, reader, strings, words]);
}

const KINDS: Readonly<Record<string, string>> = {
  deployments: 'Deployment',
  statefulsets: 'StatefulSet',
  daemonsets: 'DaemonSet',
  poddisruptionbudgets: 'PodDisruptionBudget',
};
/** `Deployment` of `deployments/default/web`. */
const workloadKind = (name: string): string => KINDS[name.slice(0, name.indexOf('/'))] ?? name;

/** At most three digits: `2`, `0.4`, `12`. */
const short = (number: number): string => `${Number(number.toPrecision(number < 100 ? 2 : 3))}`;

function titleOf({ kind, part, title }: Lane, { lane }: Strings, manyClients: boolean): string {
  if (kind === 'client' && manyClients) return part;
  if (kind === 'endpoint' || kind === 'rules' || kind === 'replicaSet') return title;
  if (kind === 'worker') return lane.worker[part] ?? part;
  if (kind === 'channel') return channelName(part);
  return kind === 'condition' ? lane.condition(part) : lane[kind];
}

/** A condition's name of more characters takes both lines. */
const LONG_TITLE = 20;

function noteOf(
  { kind, container, part }: Lane,
  { note }: Strings,
  spec: ProbeSpec | null,
  manyContainers: boolean,
): string {
  switch (kind) {
    case 'app':
      return note.container(container);
    case 'worker': {
      if (spec === null) return container;
      return manyContainers
        ? `${container} · ${note.every(spec.periodSeconds)}`
        : note.worker(spec.periodSeconds, spec.failureThreshold, spec.successThreshold);
    }
    case 'channel':
      return note.channel[part] ?? '';
    case 'container':
      return `${note.container(container)} · ${note.inApi}`;
    case 'phase':
      return note.inApi;
    case 'endpoint':
    case 'client':
      return '';
    case 'replicaSet':
      return part.slice(part.lastIndexOf('-') + 1);
    case 'workload':
      return part.startsWith('poddisruptionbudgets/') ? note.budget : note.workload;
    case 'condition':
      return part.length > LONG_TITLE ? '' : note.condition;
    default:
      return note[kind];
  }
}
