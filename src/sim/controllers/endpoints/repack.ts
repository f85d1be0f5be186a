import { fnv1a128 } from '../../../base/hash.ts';
import { memoized } from '../../../base/memoized.ts';
import type { EndpointAddress, EndpointPort, EndpointSubset } from '../../api/objects.ts';
import { corePortText, sortedCorePorts } from '../shared/portHash.ts';

/** One address behind one port; `port` null: it has no port. */
export interface PortAddress {
  readonly port: EndpointPort | null;
  readonly address: EndpointAddress;
  readonly ready: boolean;
}

/** Addresses behind one port: readiness by the address's number. */
interface PortGroup {
  readonly port: EndpointPort | null;
  readonly ready: Map<number, boolean>;
}

/**
 * Packs addresses into subsets: ports with the same addresses in the same state share one; not ready beats ready; all in
 * a fixed order (C-130, C-131).
 * Source: pkg/api/v1/endpoints/util.go RepackSubsets.
 */
export function packSubsets(facts: Iterable<PortAddress>): readonly EndpointSubset[] {
  const addresses: EndpointAddress[] = [];
  const groups = groupByPort(facts, addresses);
  const sets = new Map<string, { readonly ready: ReadonlyMap<number, boolean>; readonly ports: EndpointPort[] }>();
  for (const { port, ready } of groups) {
    const key = groups.length === 1 ? '' : identityOf(ready);
    const set = sets.get(key) ?? { ready, ports: [] };
    if (port) set.ports.push(port);
    sets.set(key, set);
  }
  const subsets = sortedByHash([...sets.values()].map(({ ready, ports }) => makeSubset(addresses, ready, ports)));
  packed.add(subsets);
  return subsets;
}

/** Lists that need no packing. */
const packed = new WeakSet<readonly EndpointSubset[]>();

/** The canonical form of subsets that somebody wrote. */
export const repackSubsets = (subsets: readonly EndpointSubset[]): readonly EndpointSubset[] =>
  packed.has(subsets) ? subsets : packSubsets(subsets.flatMap(factsOf));

function factsOf({ addresses, notReadyAddresses, ports }: EndpointSubset): readonly PortAddress[] {
  const each: readonly (EndpointPort | null)[] = ports.length > 0 ? ports : [null];
  return each.flatMap((port) => [
    ...addresses.map((address) => ({ port, address, ready: true })),
    ...notReadyAddresses.map((address) => ({ port, address, ready: false })),
  ]);
}

/** Fills `addresses`, in which each (IP, UID) stands once. */
function groupByPort(facts: Iterable<PortAddress>, addresses: EndpointAddress[]): readonly PortGroup[] {
  const groups = new Map<string, PortGroup>();
  // Ports are the same objects again and again: their texts are made once.
  const groupOf = memoized((port: EndpointPort | null): PortGroup => {
    const key = port ? `${port.name}|${port.port}|${port.protocol}|${port.appProtocol}` : '';
    const group = groups.get(key) ?? { port, ready: new Map() };
    groups.set(key, group);
    return group;
  });
  const numberOf = numbering(addresses);
  for (const { port, address, ready: isReady } of facts) {
    const { ready } = groupOf(port);
    const number = numberOf(address);
    if (ready.get(number) !== false) ready.set(number, isReady);
  }
  return [...groups.values()];
}

/** Numbers addresses: the place of the first one of that IP and UID in `addresses`, where new ones are added. */
function numbering(addresses: EndpointAddress[]): (address: EndpointAddress) => number {
  const numbers = new Map<string, number>();
  return (address) => {
    for (let twins = 0; ; twins++) {
      const key = twins === 0 ? address.ip : `${address.ip} ${twins}`;
      const number = numbers.get(key);
      if (number === undefined) {
        numbers.set(key, addresses.length);
        return addresses.push(address) - 1;
      }
      if (uidOf(addresses[number] as EndpointAddress) === uidOf(address)) return number;
    }
  };
}

const uidOf = ({ targetRef }: EndpointAddress): string => targetRef?.uid ?? '';

/** Equal for ports that have the same addresses in the same state. */
function identityOf(ready: ReadonlyMap<number, boolean>): string {
  const numbers = [...ready.keys()].sort((a, b) => a - b);
  return numbers.map((number) => (ready.get(number) ? `${number}+` : `${number}-`)).join('');
}

function makeSubset(
  all: readonly EndpointAddress[],
  ready: ReadonlyMap<number, boolean>,
  ports: readonly EndpointPort[],
): EndpointSubset {
  const addresses: EndpointAddress[] = [];
  const notReadyAddresses: EndpointAddress[] = [];
  for (const [number, isReady] of ready) (isReady ? addresses : notReadyAddresses).push(all[number] as EndpointAddress);
  return {
    addresses: addresses.sort(compareAddresses),
    notReadyAddresses: notReadyAddresses.sort(compareAddresses),
    ports: sortedCorePorts(ports),
  };
}

/** By IP as bytes, so that 10.0.0.10 comes before 10.0.0.9; then by UID, none first. */
function compareAddresses(a: EndpointAddress, b: EndpointAddress): number {
  if (a.ip !== b.ip) return a.ip < b.ip ? -1 : 1;
  const [first, second] = [uidOf(a), uidOf(b)];
  return first < second ? -1 : first > second ? 1 : 0;
}

function sortedByHash(subsets: readonly EndpointSubset[]): readonly EndpointSubset[] {
  if (subsets.length < 2) return subsets;
  const hashed = subsets.map((subset) => ({ subset, hash: fnv1a128(subsetText(subset)) }));
  return hashed.sort((a, b) => (a.hash < b.hash ? -1 : 1)).map(({ subset }) => subset);
}

/** As Go's `%#v` writes it: an empty list is nil here. */
function subsetText({ addresses, notReadyAddresses, ports }: EndpointSubset): string {
  const list = (type: string, texts: readonly string[]): string =>
    `([]v1.${type})${texts.length > 0 ? `[${texts.join(' ')}]` : '<nil>'}`;
  const ready = list('EndpointAddress', addresses.map(addressText));
  const notReady = list('EndpointAddress', notReadyAddresses.map(addressText));
  const portList = list('EndpointPort', ports.map(corePortText));
  return `(v1.EndpointSubset){Addresses:${ready} NotReadyAddresses:${notReady} Ports:${portList}}`;
}

function addressText({ ip, hostname, nodeName, targetRef }: EndpointAddress): string {
  const target = targetRef
    ? `{Kind:(string)Pod Namespace:(string)${targetRef.namespace} Name:(string)${targetRef.name} ` +
      `UID:(types.UID)${targetRef.uid} APIVersion:(string) ResourceVersion:(string) FieldPath:(string)}`
    : '<nil>';
  const node = nodeName ?? '<nil>';
  return `{IP:(string)${ip} Hostname:(string)${hostname} NodeName:(*string)${node} TargetRef:(*v1.ObjectReference)${target}}`;
}
