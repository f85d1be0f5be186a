/** Families and addresses of a Service, as the API server completes them (pkg/registry/core/service/storage/alloc.go). */
import { familyOf, type IpFamily } from '../../sim/api/objects.ts';
import type { ServiceManifest } from '../schema/service.ts';

type ServiceSpecManifest = ServiceManifest['spec'];

/** What a Service gets that does not ask for any; the API server draws them. */
export interface Allocation {
  readonly clusterIPs: Readonly<Record<IpFamily, string>>;
  /** One after the other for the ports that need one. */
  readonly nodePort: () => number;
  readonly loadBalancerIPs: Readonly<Record<IpFamily, string>>;
}

const isHeadlessSpec = ({ clusterIP, clusterIPs = [] }: ServiceSpecManifest): boolean =>
  (clusterIP || clusterIPs[0]) === 'None';

/** Addresses that the manifest gives: clusterIP, then those of clusterIPs. */
export const givenClusterIPs = ({ clusterIP, clusterIPs = [] }: ServiceSpecManifest): readonly string[] => [
  ...new Set([clusterIP ?? '', ...clusterIPs].filter((ip) => ip !== '' && ip !== 'None')),
];

/** Whether the Service tells of a cluster with both families. */
export const asksForIPv6 = (spec: ServiceSpecManifest): boolean =>
  (spec.ipFamilies?.includes('IPv6') ?? false) ||
  (spec.ipFamilyPolicy !== undefined && spec.ipFamilyPolicy !== 'SingleStack') ||
  givenClusterIPs(spec).some((ip) => familyOf(ip) === 'IPv6');

/**
 * Families of the Service, the first one first. Without a policy a Service has one family, unless it names two; a headless
 * one without a selector has both. `isDualStack`: of the cluster.
 */
export function familiesOf(spec: ServiceSpecManifest, isDualStack: boolean): readonly IpFamily[] {
  const { ipFamilies, ipFamilyPolicy, selector } = spec;
  const named = ipFamilies ?? [...new Set(givenClusterIPs(spec).map(familyOf))];
  const [first = 'IPv4', second = first === 'IPv4' ? 'IPv6' : 'IPv4'] = named;
  const isOpen = named.length === 0 && isHeadlessSpec(spec) && selector === undefined;
  const policy = ipFamilyPolicy ?? (named.length > 1 || isOpen ? 'RequireDualStack' : 'SingleStack');
  const hasBoth = policy === 'RequireDualStack' || (policy === 'PreferDualStack' && isDualStack);
  return hasBoth ? [first, second] : [first];
}

/** One address for each family; `None` of a headless Service. */
export function clusterIPsOf(
  spec: ServiceSpecManifest,
  families: readonly IpFamily[],
  { clusterIPs }: Allocation,
): readonly string[] {
  if (isHeadlessSpec(spec)) return ['None'];
  const given = givenClusterIPs(spec);
  return families.map((family) => given.find((ip) => familyOf(ip) === family) ?? clusterIPs[family]);
}
