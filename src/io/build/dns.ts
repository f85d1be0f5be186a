import type { DnsInput } from '../../sim/clientInput.ts';
import type { DnsEntry, DnsProfile } from '../schema/dns.ts';

/** What the caches keep, s: the Corefiles of kubeadm and of the addons, and that of NodeLocal DNS (T-005). */
const CACHES: Readonly<Record<DnsProfile, Pick<DnsInput['caches'], 'cache' | 'nodeLocal'>>> = {
  kubeadm: { cache: null, nodeLocal: null },
  addon: { cache: { positive: 30, negative: 30 }, nodeLocal: null },
  nodeLocal: { cache: null, nodeLocal: { positive: 30, negative: 5 } },
};

/** How somebody looks up the name of a headless Service; `hostname`: of one Pod behind it. */
export function dnsInput(
  { name, namespace }: { readonly name: string; readonly namespace: string },
  { profile = 'kubeadm', ttl = 30, clientCache = 0 }: DnsEntry = {},
  hostname: string | null = null,
): DnsInput {
  const own = clientCache > 0 ? { positive: clientCache, negative: clientCache } : null;
  return {
    type: 'dns',
    name: `${hostname === null ? '' : `${hostname}.`}${name}.${namespace}.svc.cluster.local`,
    hostname,
    ttl,
    caches: { ...CACHES[profile], clientCache: own },
  };
}
