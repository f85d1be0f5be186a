import type { CompareRules } from '../compare.ts';
import type { RecordedEvent } from '../event.ts';

/** Types of the lane `proxy` that are about an object of their own, and the field that names it. */
const OWN_OBJECT: Readonly<Record<string, string>> = {
  change: 'name',
  backends: 'frontend',
  topologyChange: 'type',
  topologyLabels: 'type',
};

/**
 * Within one instant events have an order only for each component and object: the README's order of components and
 * objects says nothing about what was first.
 */
function objectOf(event: RecordedEvent): string {
  const { lane, type, actor, name, resource, to, queue, controller, service, proxy, family } = event;
  const part = (text: unknown): string => (text === undefined ? '' : ` ${text}`);
  switch (lane) {
    case 'watch':
      return `${lane}${part(to)}${part(resource)}${part(name)}`;
    case 'queue':
      return `${lane}${part(queue)}`;
    case 'controller':
      return `${lane}${part(controller)}${part(service)}`;
    case 'proxy':
      return `${lane}${part(proxy)}${part(family)}${part(event[OWN_OBJECT[type] ?? ''])}`;
    case 'healthcheck':
      return `${lane}${part(proxy)}${part(service)}`;
    default:
      return `${lane} ${type}${part(actor)}${part(name)}`;
  }
}

/** How recordings of `traces/controlplane` compare; generated names have been exchanged before. */
export const CONTROL_PLANE_ORDER: CompareRules = { objectOf, hasNoOrder: () => false, generated: new Set() };
