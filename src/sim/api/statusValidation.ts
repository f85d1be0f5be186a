import type { StatefulSetObject } from './workloadObjects.ts';

/** Counts that must not be negative, in the order in which they are looked at. */
const COUNTS = ['replicas', 'readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'] as const;

/**
 * Why the API server refuses a StatefulSet's status; null: it does not.
 * Source: pkg/apis/apps/validation/validation.go ValidateStatefulSetStatus.
 */
export function invalidStatefulSetStatus({ meta, status }: StatefulSetObject): string | null {
  const said = (count: (typeof COUNTS)[number], rule: string): string =>
    `status.${count}: Invalid value: ${status[count]}: ${rule}`;
  const negative = COUNTS.filter((count) => status[count] < 0);
  const tooMany = COUNTS.filter((count) => status[count] > status.replicas);
  const faults = [
    ...negative.map((count) => said(count, 'must be greater than or equal to 0')),
    ...tooMany.map((count) => said(count, 'cannot be greater than status.replicas')),
  ];
  if (faults.length === 0) return null;
  const listed = faults.length === 1 ? faults[0] : `[${faults.join(', ')}]`;
  return `StatefulSet.apps "${meta.name}" is invalid: ${listed}`;
}
