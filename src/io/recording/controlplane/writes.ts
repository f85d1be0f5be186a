import { rfc3339 } from '../../../base/rfc3339.ts';
import { MICROS_PER_SECOND, micros, microsSpan } from '../../../base/units.ts';
import type { ScriptedWrite } from '../../../sim/clusterInput.ts';
import { setPod, setPodIdentity } from './podSets.ts';
import type { RecordedPodSet, ScriptedAction } from './recording.ts';
import { keyOfName, storedOf } from './toObjects.ts';

/** What an action of a recording writes. `sets` are the recording's sets of Pods, `epoch` its wall clock at 0, µs. */
export function writeOf(action: ScriptedAction, sets: readonly RecordedPodSet[], epoch: number): ScriptedWrite {
  const at = micros(action.atUs);
  switch (action.do) {
    case 'create':
    case 'replace':
      return { at, do: action.do, stored: storedOf(action.object, at) };
    case 'setPhase':
      return { at, do: action.do, pod: keyOfName(action.pod), phase: action.phase, ready: action.ready ?? null };
    case 'setReady':
      return { at, do: action.do, pod: keyOfName(action.pod), ready: action.ready };
    case 'setPodIPs':
      return { at, do: action.do, pod: keyOfName(action.pod), podIPs: action.podIPs };
    case 'labelPod':
      return { at, do: action.do, pod: keyOfName(action.pod), labels: action.labels };
    case 'annotatePod':
      return { at, do: action.do, pod: keyOfName(action.pod), annotations: action.labels };
    case 'deletePod':
      return { at, do: action.do, pod: keyOfName(action.pod), graceSeconds: action.graceSeconds };
    case 'removePod':
      return { at, do: action.do, pod: keyOfName(action.pod) };
    case 'deleteService':
    case 'deleteSlices':
      return { at, do: action.do, service: keyOfName(action.service) };
    case 'touchSlice':
      return { at, do: action.do, service: keyOfName(action.service), annotations: action.labels ?? null };
    case 'deleteEndpoints':
    case 'dropEndpointsAddresses':
      return { at, do: action.do, name: keyOfName(action.name) };
    case 'labelNode':
      return { at, do: action.do, node: action.node, labels: action.labels };
    case 'nodeReady':
      return { at, do: action.do, node: action.node, ready: action.ready };
    case 'createSet':
    case 'setReadyRange':
      return setWriteOf(action, sets, epoch);
  }
}

function setWriteOf(
  action: Extract<ScriptedAction, { readonly set: string }>,
  sets: readonly RecordedPodSet[],
  epoch: number,
): ScriptedWrite {
  const { atUs, stepUs, ready, count, from } = action;
  const set = sets.find(({ name }) => name === action.set);
  if (!set) throw new Error(`action ${action.do} at ${atUs}: podSets has no ${action.set}`);
  const common = { at: micros(atUs), set: action.set, ready, step: microsSpan(stepUs) };
  const places = Array.from({ length: count }, (_, i) => from + i);
  if (action.do === 'setReadyRange')
    return { ...common, do: action.do, pods: places.map((place) => setPodIdentity(set, place)) };
  const pods = places.map((place, i) => {
    const at = micros(atUs + i * stepUs);
    return setPod(set, place, ready, at, rfc3339(Math.floor((epoch + at) / MICROS_PER_SECOND)));
  });
  return { ...common, do: action.do, pods };
}
