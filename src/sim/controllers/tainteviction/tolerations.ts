import { type MicrosSpan, seconds } from '../../../base/units.ts';
import { type Taint, type Toleration, tolerates } from '../../api/objects.ts';

/**
 * How long a Pod stays on a node with NoExecute taints (at least one): null for ever, 0 not at all, else the least of
 * the tolerations that are used, the first that matches each taint (N-036).
 * Source: component-helpers GetMatchingTolerations, tainteviction getMinTolerationTime.
 */
export function tolerationTime(
  tolerations: readonly Toleration[],
  taints: readonly Taint[],
): MicrosSpan | null | 'none' {
  const used = taints.map((taint) => tolerations.find((toleration) => tolerates([toleration], taint)));
  if (used.includes(undefined)) return 'none';
  const lengths = used.flatMap((toleration) => toleration?.tolerationSeconds ?? []);
  return lengths.length === 0 ? null : seconds(Math.max(0, Math.min(...lengths)));
}
