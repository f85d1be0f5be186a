import { type Micros, type MicrosSpan, micros, microsSpan, milliseconds } from '../../base/units.ts';
import type { ContainerInput, PodInput, Scenario } from '../../sim/scenario.ts';
import { appRunOf } from './appScript.ts';
import type { Incarnation } from './incarnations.ts';
import { manifestName, type RecordedPod } from './manifests.ts';
import { appOf, type PodObject } from './podObjects.ts';
import { RecordingError } from './recordingFiles.ts';
import type { World } from './world.ts';

/** The kubelet looks at a Pod's volumes once more each 300 ms (K-046 step 9). */
const VOLUME_LOOK = milliseconds(300);
/** From the start of a process to its open port, where the recording does not say. */
const LISTENS_AFTER = milliseconds(2);

/** How often the kubelet looked at a new Pod's volumes before it went on, at most over all Pods. */
export function volumeLooks({ pods, created }: World): number {
  const looks = pods.flatMap(({ pod, sandboxUs: [begun = 0] }) => {
    const own = created.find(({ kind, name }) => kind === 'Pod' && name === pod);
    return own ? [Math.round((begun - own.endUs) / VOLUME_LOOK)] : [];
  });
  return Math.max(1, ...looks);
}

/** Length of the volumes' mount with which the kubelet looks so often after its first look. */
export const mountLength = (looks: number): MicrosSpan => microsSpan(looks * VOLUME_LOOK - VOLUME_LOOK / 2);

/** Each Pod of a recording with the object that the watch showed of it. */
export function withObjects(
  all: readonly Incarnation[],
  objects: ReadonlyMap<string, PodObject>,
): readonly RecordedPod[] {
  return all.map((one) => {
    const object = objects.get(one.uid) ?? [...objects.values()].find(({ name }) => name === one.pod);
    if (!object) throw new RecordingError(`pods-watch.jsonl: the pod ${one.pod} of world.json is not in it`);
    return { ...one, object };
  });
}

/** When a run of a container opened its port, by the instant of its start, µs since the Unix epoch; null when unknown. */
export type Listens = (pod: string, container: string, startedUs: number) => number | null;

/**
 * The recorded Pods as the simulator's input. Each is created so that its sandbox is begun at the recorded instant:
 * `lead` is what lies between, µs.
 */
export function recordedPods(
  built: Scenario,
  pods: readonly RecordedPod[],
  world: World,
  lead: MicrosSpan,
  listens: Listens,
): readonly PodInput[] {
  return pods.map((own) => {
    const template = built.pods.find(({ name }) => name === manifestName(own));
    if (!template) throw new RecordingError(`pods-watch.jsonl: the pod ${own.pod} cannot be read`);
    const build = (container: ContainerInput): ContainerInput => ({
      ...container,
      latencyIndex: 0,
      runs: runsOf(container, own, world, listens),
    });
    return {
      ...template,
      name: own.pod,
      identity: `${template.namespace}/${own.key}`,
      createdAt: micros(Math.max(0, own.begunUs - world.t0Us - lead)) as Micros,
      containers: template.containers.map(build),
      initContainers: template.initContainers.map(build),
    };
  });
}

function runsOf(
  container: ContainerInput,
  { pod, begunUs, endUs, object }: RecordedPod,
  { containers }: World,
  listens: Listens,
): ContainerInput['runs'] {
  const { runs, ...app } = appOf(object, container.name);
  const starts = containers.filter(
    (one) => one.pod === pod && one.container === container.name && one.startedUs >= begunUs && one.startedUs < endUs,
  );
  const count = Math.max(runs.length, starts.length);
  return Array.from({ length: count }, (_, run) => {
    const startedUs = starts.find((one) => one.run === run)?.startedUs;
    const opened = startedUs === undefined ? null : listens(pod, container.name, startedUs);
    const after = opened === null || startedUs === undefined ? LISTENS_AFTER : microsSpan(opened - startedUs);
    const script = runs[run] ?? runs.at(-1) ?? [];
    return appRunOf({ ...app, script }, after, container.probes);
  });
}
