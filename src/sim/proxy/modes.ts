import type { ProxyMode } from '../clusterInput.ts';
import { ebpf } from './ebpf.ts';
import { iptables } from './iptables/iptables.ts';
import { ipvs } from './ipvs/ipvs.ts';
import type { Mode } from './mode.ts';
import { nftables } from './nftables/nftables.ts';

/** The modes of kube-proxy, and what stands in its place. */
export const MODES: Readonly<Record<ProxyMode, Mode>> = { iptables, nftables, ipvs, ebpf };
