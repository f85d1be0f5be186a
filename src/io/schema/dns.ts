import * as z from 'zod/mini';
import { duration } from './duration.ts';
import { optional, say, strict } from './strict.ts';

/** Who remembers the answers of CoreDNS (T-005). */
const DNS_PROFILES = ['kubeadm', 'addon', 'nodeLocal'] as const;
export type DnsProfile = (typeof DNS_PROFILES)[number];

export const dns = strict({
  profile: optional(
    z.enum(DNS_PROFILES),
    'kubeadm: CoreDNS remembers no names of the cluster. addon: it does for 30s, also that there is no such name. nodeLocal: so does a cache on the node; no such name for 5s. Default kubeadm.',
  ),
  ttl: optional(
    duration.check(
      z.refine((length) => Number.isInteger(length), say('a time to live is in whole seconds', 'Write it as in 5s.')),
    ),
    'Time to live of what CoreDNS answers. Default 30s.',
  ),
  clientCache: optional(
    duration,
    'The client itself remembers an answer for so long, at most its time to live. Default 0s.',
  ),
});
export type DnsEntry = z.output<typeof dns>;
