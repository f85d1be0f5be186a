import { fnv1a128 } from '../../../base/hash.ts';
import type { EndpointPort } from '../../api/objects.ts';

/**
 * Hashes of ports decide the order in which controllers write them, and which endpoints share a slice (C-131, C-206).
 * They are taken of the text that Go's `%#v` makes, as k8s.io/utils/dump ForHash writes it.
 */
const appProtocolText = (appProtocol: string | null): string => `AppProtocol:(*string)${appProtocol ?? '<nil>'}`;

/** Text of a core/v1 EndpointPort within another text. */
export const corePortText = ({ name, port, protocol, appProtocol }: EndpointPort): string =>
  `{Name:(string)${name} Port:(int32)${port} Protocol:(v1.Protocol)${protocol} ${appProtocolText(appProtocol)}}`;

const slicePortText = ({ name, port, protocol, appProtocol }: EndpointPort): string =>
  `{Name:(*string)${name} Protocol:(*v1.Protocol)${protocol} Port:(*int32)${port} ${appProtocolText(appProtocol)}}`;

const byHash = (ports: readonly EndpointPort[], textOf: (port: EndpointPort) => string): readonly EndpointPort[] => {
  if (ports.length < 2) return ports;
  const hashed = ports.map((port) => ({ port, hash: fnv1a128(`(v1.EndpointPort)${textOf(port)}`) }));
  return hashed.sort((a, b) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0)).map(({ port }) => port);
};

/** Ports of an Endpoints subset in their order (pkg/api/v1/endpoints/util.go portsByHash). */
export const sortedCorePorts = (ports: readonly EndpointPort[]): readonly EndpointPort[] => byHash(ports, corePortText);

/** Ports of a slice in their order (k8s.io/endpointslice/util portsInOrder). */
export const sortedSlicePorts = (ports: readonly EndpointPort[]): readonly EndpointPort[] =>
  byHash(ports, slicePortText);

/** The key that endpoints of one slice have in common; `ports` sorted (k8s.io/endpointslice/util NewPortMapKey). */
export const portMapKey = (ports: readonly EndpointPort[]): string =>
  fnv1a128(`([]v1.EndpointPort)[${ports.map(slicePortText).join(' ')}]`);
