import { type Micros, type MicrosSpan, micros, microsSpan, milliseconds } from '../../base/units.ts';
import type { ContainerInput, PodInput, Scenario } from '../../sim/scenario.ts';
import { appRunOf } from './appScript.ts';
import { RecordingError } from './recordingFiles.ts';
import type { AppScripts, World } from './world.ts';

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

/**
 * The recorded Pods as the simulator's input. Each is created so that its sandbox is begun at the recorded instant:
 * `lead` is what lies between, µs. `listens`: µs since the Unix epoch at which a run opened its port, null when unknown.
 */
export function recordedPods(
  built: Scenario,
  world: World,
  lead: MicrosSpan,
  listens: (pod: string, container: string, run: number) => number | null,
): readonly PodInput[] {
  return world.pods.map(({ pod: name, sandboxUs: [begun = 0] }) => {
    const template = built.pods.find((pod) => pod.name === name);
    if (!template) throw new RecordingError(`manifests.yaml: no object for the pod ${name} of world.json`);
    const build = (container: ContainerInput): ContainerInput => ({
      ...container,
      latencyIndex: 0,
      runs: runsOf(container, name, world, listens),
    });
    return {
      ...template,
      createdAt: micros(Math.max(0, begun - world.t0Us - lead)) as Micros,
      containers: template.containers.map(build),
      initContainers: template.initContainers.map(build),
    };
  });
}

function runsOf(
  container: ContainerInput,
  pod: string,
  { apps, containers }: World,
  listens: (pod: string, container: string, run: number) => number | null,
): ContainerInput['runs'] {
  const isOf = ({ of, container: name }: AppScripts): boolean => {
    const [kind, owner = ''] = of.split('/');
    return name === container.name && (kind === 'Pod' ? pod === owner : pod.startsWith(`${owner}-`));
  };
  const { runs = [[]], onSigterm } = apps.find(isOf) ?? {};
  const starts = containers.filter((one) => one.pod === pod && one.container === container.name);
  const count = Math.max(runs.length, starts.length);
  return Array.from({ length: count }, (_, run) => {
    const startedUs = starts.find((one) => one.run === run)?.startedUs;
    const opened = listens(pod, container.name, run);
    const after = opened === null || startedUs === undefined ? LISTENS_AFTER : microsSpan(opened - startedUs);
    return appRunOf(runs[run] ?? runs.at(-1) ?? [], onSigterm, after, container.probes);
  });
}
