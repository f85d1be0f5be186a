import type { IntOrPercent } from '../../api/workloadObjects.ts';

/** A number, or a percentage of `total`. Source: apimachinery pkg/util/intstr GetScaledValueFromIntOrPercent. */
export function resolve(value: IntOrPercent, total: number, round: 'up' | 'down'): number {
  if (typeof value === 'number') return value;
  const exact = (Number.parseInt(value, 10) * total) / 100;
  return round === 'up' ? Math.ceil(exact) : Math.floor(exact);
}
