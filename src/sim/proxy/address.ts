import { ipv6Groups } from '../../base/ipAddress.ts';
import { familyOf, type IpFamily } from '../api/objects.ts';

/** The address of every node, as scenarios give none: what node ports of the ipvs mode listen on (P-041, P-042). */
export const NODE_IP: Readonly<Record<IpFamily, string>> = { IPv4: '192.168.0.2', IPv6: 'fd00:192:168::2' };

/** `ip:port`, with brackets around IPv6. */
export const hostPort = (ip: string, port: number): string =>
  familyOf(ip) === 'IPv6' ? `[${ip}]:${port}` : `${ip}:${port}`;

/** Whether a range in CIDR notation is all addresses. */
export const isZeroRange = (range: string): boolean => range.endsWith('/0');

/** Whether an address lies in a range in CIDR notation of its family. */
export function rangeContains(range: string, ip: string): boolean {
  const [network = '', length = ''] = range.split('/');
  if (familyOf(network) !== familyOf(ip)) return false;
  const width = familyOf(ip) === 'IPv4' ? 32 : 128;
  const shift = BigInt(width - Number(length));
  return bitsOf(network) >> shift === bitsOf(ip) >> shift;
}

function bitsOf(ip: string): bigint {
  const [groups, width] = familyOf(ip) === 'IPv4' ? [ip.split('.').map(Number), 8n] : [ipv6Groups(ip) ?? [], 16n];
  return groups.reduce((bits, group) => (bits << width) | BigInt(group), 0n);
}
