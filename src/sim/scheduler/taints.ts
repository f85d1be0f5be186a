import type { Taint, Toleration } from '../api/objects.ts';

/** Whether one of the tolerations tolerates the taint (k8s.io/component-helpers scheduling/corev1 helpers). */
export const tolerates = (tolerations: readonly Toleration[], taint: Taint): boolean =>
  tolerations.some((toleration) => toleratesTaint(toleration, taint));

const toleratesTaint = (toleration: Toleration, { key, value, effect }: Taint): boolean =>
  (toleration.effect === '' || toleration.effect === effect) &&
  (toleration.key === '' || toleration.key === key) &&
  (toleration.operator === 'Exists' || toleration.value === value);
