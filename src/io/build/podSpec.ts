import type { PodTemplateSpec } from '../../sim/api/workloadObjects.ts';
import { NO_FAULTS, type PodFaults } from '../../sim/scenario.ts';
import type { Workload } from '../manifest/workload.ts';
import type { FaultEntry } from '../schema/fault.ts';
import type { Settings } from '../settings.ts';
import { numberIn } from './numberIn.ts';
import { type PlacedPod, podsMeant } from './placedPods.ts';
import type { Revision } from './podLists.ts';

/** What the Pods of a revision have in common, but for their containers and what goes wrong for them. */
export function podSpecOf(
  { path, hostname, subdomain, tolerations, restartPolicy, readinessGates }: Workload,
  settings: Settings,
  { changes }: Revision,
): Omit<PodTemplateSpec, 'containers' | 'initContainers' | 'faults'> {
  const changed = changes.findLast((change) => change.terminationGracePeriodSeconds !== undefined);
  const grace = changed?.terminationGracePeriodSeconds;
  return {
    hostname,
    subdomain,
    tolerations,
    target: '',
    restartPolicy,
    terminationGracePeriodSeconds: grace ?? numberIn(settings)(`${path}/terminationGracePeriodSeconds`),
    activeDeadlineSeconds: settings.get(`${path}/activeDeadlineSeconds`)?.value ?? null,
    readinessGates,
    isStatic: false,
  };
}

/** What goes wrong for a Pod: the last entry that is about it. */
export function faultsOf(entries: readonly FaultEntry[], placed: PlacedPod): PodFaults {
  return faultsIn(entries.findLast((entry) => podsMeant(entry, [placed]).length > 0));
}

/** What goes wrong for every Pod of a workload: the last entry that names no single Pod. */
export function sharedFaults(entries: readonly FaultEntry[], { name, namespace }: Workload): PodFaults {
  const found = entries.findLast(
    (entry) =>
      entry.pod === undefined && (entry.workload ?? name) === name && (entry.namespace ?? namespace) === namespace,
  );
  return faultsIn(found);
}

function faultsIn(found: FaultEntry | undefined): PodFaults {
  if (!found) return NO_FAULTS;
  const { admission, sandboxFailures = 0 } = found;
  const refusal = admission ? { reason: admission.reason, message: admission.message ?? admission.reason } : null;
  return { admission: refusal, sandboxFailures };
}
