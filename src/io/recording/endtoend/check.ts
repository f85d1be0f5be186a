import { sameData } from '../../../base/equal.ts';
import { TraceReader } from '../../../sim/trace/reader.ts';
import { type CompareRules, firstDifference } from '../compare.ts';
import { Exchange } from '../controlplane/exchange.ts';
import { CONTROL_PLANE_ORDER } from '../controlplane/order.ts';
import type { ControlPlaneRecording } from '../controlplane/recording.ts';
import { ruleOfEvent as ruleOfControlPlane } from '../controlplane/rules.ts';
import { stateAt } from '../controlplane/stateAt.ts';
import type { RecordedEvent } from '../event.ts';
import { KUBELET_ORDER } from '../kubelet/order.ts';
import { ruleOfEvent as ruleOfKubelet } from '../kubelet/rules.ts';
import { describeDifference, describeDraw, type Play, type Verdict } from '../verdict.ts';
import { firstPathDifference, projectPaths } from './path.ts';
import { projectEndToEnd } from './project.ts';
import type { EndToEndRecording } from './recording.ts';
import { endToEndScenario } from './toScenario.ts';

/** Lanes of the kubelets' half. */
const KUBELET_LANES: ReadonlySet<string> = new Set([
  'world',
  'kubelet',
  'probe',
  'results',
  'runtime',
  'status',
  'events',
]);

const isKubelet = ({ lane, type }: RecordedEvent): boolean =>
  KUBELET_LANES.has(lane) || (lane === 'api' && type === 'request');

/** Each half compares as in its own folder; attempts of a client are in order. */
const ORDER: CompareRules = {
  objectOf: (event) => {
    if (event.lane === 'client') return `client ${event.client}`;
    return isKubelet(event)
      ? `${KUBELET_ORDER.objectOf(event)} ${event.node ?? ''}`
      : CONTROL_PLANE_ORDER.objectOf(event);
  },
  // Killing events of one instant are sorted by message there.
  hasNoOrder: (event) => isKubelet(event) && (KUBELET_ORDER.hasNoOrder(event) || event.reason === 'Killing'),
  // That clock has nanoseconds: instants are cut, and this length is rounded.
  tolerance: (path) => (path === 'networkProgramming.elapsedUs' ? 1 : 0),
  generated: new Set(['id', 'sandbox']),
};

/** Simulates what a recording of `traces/endtoend` played and compares all that it shows. */
export function checkEndToEnd(recording: EndToEndRecording, play: Play): Verdict {
  const { trace, draws, paths } = play(endToEndScenario(recording, true));
  const all = projectEndToEnd(new TraceReader(trace));
  const state = stateAt(all, 0);
  const exchange = new Exchange(recording as unknown as ControlPlaneRecording, all, state);
  const { hide } = recording.scenario.world.recording;
  const listed = all.filter(({ t }) => t >= 0).map((event) => exchange.of(event));
  const got = listed.filter((event) => !isHidden(event, hide));
  const { events: expected } = recording;
  const failed = (message: string, differsAt: number | null): Verdict => {
    return { passed: false, message, differsAt, expected, got };
  };
  const difference = firstDifference(expected, got, ORDER);
  const ruleOf = (event: RecordedEvent | null): string =>
    event && isKubelet(event) ? ruleOfKubelet(event) : ruleOfControlPlane(event);
  if (difference) return failed(describeDifference(difference, ruleOf), difference.t);
  const counts = countsOf(listed);
  const miscounted = Object.keys(recording.counts).find((key) => recording.counts[key] !== counts[key]);
  if (miscounted)
    return failed(`counts.${miscounted}: expected ${recording.counts[miscounted]}, got ${counts[miscounted]}`, null);
  for (const part of ['endpointslices', 'backends'] as const) {
    const left = state[part].map((one) => exchange.of(one));
    const lost = recording.initial[part].find((one) => !left.some((other) => sameData(one, other)));
    if (lost) return failed(`initial.${part}: ${JSON.stringify(lost)} is not there`, null);
  }
  const path = firstPathDifference(recording.path, projectPaths(paths()));
  if (path !== null) return failed(path, null);
  const wrong = draws.differences.find(
    ({ name, actualAt }) => !(name.startsWith('prober/select/') && actualAt === null),
  );
  if (wrong) return failed(describeDraw(wrong), null);
  return { passed: true, message: `${expected.length} events`, differsAt: null, expected, got };
}

/** `hide` has lanes, `lane/type`, and `component:name`. */
function isHidden(event: RecordedEvent, hide: readonly string[]): boolean {
  const { lane, type, to, actor, controller } = event;
  return hide.some((what) => {
    if (!what.startsWith('component:')) return what === lane || what === `${lane}/${type}`;
    const name = what.slice('component:'.length);
    return lane === name || to === name || actor === name || controller === name;
  });
}

function countsOf(events: readonly RecordedEvent[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { lane, type } of events) counts[`${lane}/${type}`] = (counts[`${lane}/${type}`] ?? 0) + 1;
  return counts;
}
