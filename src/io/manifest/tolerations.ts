import type { Toleration } from '../../sim/api/objects.ts';
import type { TolerationManifest } from '../schema/pod.ts';

/** Tolerations that the API server adds unless there are such (plugin/pkg/admission/defaulttolerationseconds). */
const DEFAULT_KEYS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];
const DEFAULT_SECONDS = 300;

/** No taint evicts a static Pod: its kubelet adds this one, and the API server none (pkg/kubelet/config/common.go, applyDefaults). */
export const STATIC_TOLERATIONS: readonly Toleration[] = [
  { key: '', operator: 'Exists', value: '', effect: 'NoExecute', tolerationSeconds: null },
];

/** The tolerations of a Pod as the API server has them; those that compare numbers (Lt, Gt) tolerate nothing here. */
export function tolerationsOf(given: readonly TolerationManifest[]): readonly Toleration[] {
  const own = given.flatMap(
    ({ key = '', operator = 'Equal', value = '', effect = '' as const, tolerationSeconds = null }): Toleration[] =>
      operator === 'Exists' || operator === 'Equal' ? [{ key, operator, value, effect, tolerationSeconds }] : [],
  );
  const covers = (key: string): boolean =>
    own.some((one) => (one.key === '' || one.key === key) && (one.effect === '' || one.effect === 'NoExecute'));
  const added = DEFAULT_KEYS.filter((key) => !covers(key)).map(
    (key): Toleration => ({
      key,
      operator: 'Exists',
      value: '',
      effect: 'NoExecute',
      tolerationSeconds: DEFAULT_SECONDS,
    }),
  );
  return [...own, ...added];
}
