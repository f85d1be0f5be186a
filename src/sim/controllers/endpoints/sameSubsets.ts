import type { EndpointAddress, EndpointPort, EndpointSubset } from '../../api/objects.ts';

/** Whether subsets are equal in content and order. */
export const sameSubsets = (a: readonly EndpointSubset[], b: readonly EndpointSubset[]): boolean =>
  a === b || sameLists(a, b, sameSubset);

const sameLists = <T>(a: readonly T[], b: readonly T[], same: (a: T, b: T) => boolean): boolean =>
  a.length === b.length && a.every((one, place) => same(one, b[place] as T));

const sameSubset = (a: EndpointSubset, b: EndpointSubset): boolean =>
  sameLists(a.addresses, b.addresses, sameAddress) &&
  sameLists(a.notReadyAddresses, b.notReadyAddresses, sameAddress) &&
  sameLists(a.ports, b.ports, samePort);

const sameAddress = (a: EndpointAddress, b: EndpointAddress): boolean =>
  a.ip === b.ip &&
  a.hostname === b.hostname &&
  a.nodeName === b.nodeName &&
  a.targetRef?.namespace === b.targetRef?.namespace &&
  a.targetRef?.name === b.targetRef?.name &&
  a.targetRef?.uid === b.targetRef?.uid;

const samePort = (a: EndpointPort, b: EndpointPort): boolean =>
  a.name === b.name && a.port === b.port && a.protocol === b.protocol && a.appProtocol === b.appProtocol;
