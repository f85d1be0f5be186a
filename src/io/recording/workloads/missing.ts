import { WORKLOAD_CONTROLLERS } from '../../../sim/workloadsInput.ts';
import type { WorkloadsRecording } from './recording.ts';
import { PATCHED } from './toScenario.ts';

/** What the model has: components, actions, kinds of objects, and resources whose objects are patched. */
const CONTROLLERS: ReadonlySet<string> = new Set(WORKLOAD_CONTROLLERS);
const ACTIONS: ReadonlySet<string> = new Set([
  'create',
  'patch',
  'patchPod',
  'deletePod',
  'evict',
  'setReady',
  'drain',
  'deleteNode',
  'addTaint',
  'removeTaint',
  'nodeReady',
  'stopNode',
  'startNode',
]);
const KINDS: ReadonlySet<string> = new Set([
  'Node',
  'Pod',
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'PodDisruptionBudget',
]);
const PATCHES: ReadonlySet<string> = new Set(['nodes', ...PATCHED]);

/** What of a recording of `traces/workloads` the model does not have, in words; empty when it has everything. */
export function missingInWorkloads({ components, scenario }: WorkloadsRecording): readonly string[] {
  const { manifests, world } = scenario;
  const objects = [...manifests, ...world.actions.flatMap(({ object }) => object ?? [])];
  const patches = world.actions.filter(({ do: what }) => what === 'patch');
  const beyond = (known: ReadonlySet<string>, given: readonly string[], what: string): readonly string[] =>
    [...new Set(given)].filter((one) => !known.has(one)).map((one) => `${what}${one}`);
  return [
    ...beyond(CONTROLLERS, components, ''),
    ...beyond(
      ACTIONS,
      world.actions.map(({ do: what }) => what),
      'action ',
    ),
    ...beyond(
      KINDS,
      objects.map(({ kind }) => kind),
      'kind ',
    ),
    ...beyond(
      PATCHES,
      patches.map(({ resource = '' }) => resource),
      'patch of ',
    ),
  ];
}
