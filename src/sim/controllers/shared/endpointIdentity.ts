import { memoizedWeakly } from '../../../base/memoized.ts';
import type { Endpoint } from '../../api/objects.ts';

/** What makes two endpoints the same one: addresses, hostname and target (C-220). Source: util/endpointset.go, hashEndpoint. */
export const identityOf = memoizedWeakly(({ addresses, hostname, targetRef }: Endpoint): string => {
  const target = targetRef ? `${targetRef.namespace}/${targetRef.name}` : '';
  return `${addresses.join(' ')}|${hostname}|${target}`;
});

/** Whether two endpoints of one identity are alike in all else but hints. Source: util/controller_utils.go, EndpointsEqualBeyondHash. */
export const isEqualBeyondIdentity = (a: Endpoint, b: Endpoint): boolean =>
  a.nodeName === b.nodeName &&
  a.zone === b.zone &&
  a.ready === b.ready &&
  a.serving === b.serving &&
  a.terminating === b.terminating &&
  a.targetRef?.uid === b.targetRef?.uid;
