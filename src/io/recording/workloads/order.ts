import type { CompareRules } from '../compare.ts';

/** How recordings of `traces/workloads` compare; generated identity is given to the run, so nothing is renamed. */
export const WORKLOADS_ORDER: CompareRules = {
  objectOf: ({ lane, type, controller, key, name, object, pod, actor, message }) => {
    const part = (text: unknown): string => (text === undefined ? '' : ` ${text}`);
    if (lane === 'k8sEvent') return `${lane}${part(actor)}${part(message)}`;
    return `${lane} ${type}${part(controller)}${part(key)}${part(name)}${part(pod)}${lane === 'api' ? part(object && name) : ''}`;
  },
  hasNoOrder: () => false,
  generated: new Set(['rv', 'read', 'written']),
};
