import type { ControllerName } from '../clusterInput.ts';
import type { Component, Subject } from './kinds.ts';

/** The trace's component of each endpoint controller; the others are their own. */
export const COMPONENT_OF = {
  endpoints: 'endpointsController',
  endpointslices: 'endpointSliceController',
  mirroring: 'mirroringController',
} as const satisfies Readonly<Record<ControllerName, Component>>;

/** Who the deliveries of a watch are for, by the subject of its events: a controller, a proxy, a client. */
export function watcherOf({ component, object }: Subject): string {
  const found = Object.entries(COMPONENT_OF).find(([, itsComponent]) => itsComponent === component);
  return found?.[0] ?? object;
}
