import { familyOf, type IpFamily } from '../api/objects.ts';

/**
 * An IP address in the one form in which Kubernetes prints it: IPv6 in lower case, without leading zeros, its longest
 * run of zero groups as `::` (RFC 5952). IPv4, and what is no address, comes back as it is.
 */
export function canonicalIp(ip: string): string {
  if (familyOf(ip) === 'IPv4') return ip;
  const groups = groupsOf(ip);
  if (!groups) return ip;
  const text = (part: readonly number[]): string => part.map((group) => group.toString(16)).join(':');
  const zeros = longestZeros(groups);
  if (zeros.length < 2) return text(groups);
  return `${text(groups.slice(0, zeros.start))}::${text(groups.slice(zeros.start + zeros.length))}`;
}

/** The eight groups of an IPv6 address; null when it is none. */
function groupsOf(ip: string): readonly number[] | null {
  const [head = '', tail, ...more] = ip.split('::');
  if (more.length > 0) return null;
  const parse = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const first = parse(head);
  const last = parse(tail ?? '');
  const missing = tail === undefined ? 0 : 8 - first.length - last.length;
  const groups = [...first, ...new Array<number>(Math.max(0, missing)).fill(0), ...last];
  return groups.length === 8 && groups.every((group) => group >= 0 && group <= 0xffff) ? groups : null;
}

function longestZeros(groups: readonly number[]): { readonly start: number; readonly length: number } {
  let longest = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start++) {
    let end = start;
    while (groups[end] === 0) end++;
    if (end - start > longest.length) longest = { start, length: end - start };
  }
  return longest;
}

/** `ip:port`, with brackets around IPv6. */
export const hostPort = (ip: string, port: number): string =>
  familyOf(ip) === 'IPv6' ? `[${ip}]:${port}` : `${ip}:${port}`;

/** The address of every node, as scenarios give none: what node ports of the ipvs mode listen on (P-041, P-042). */
export const NODE_IP: Readonly<Record<IpFamily, string>> = { IPv4: '192.168.0.2', IPv6: 'fd00:192:168::2' };

/** Family of an address range in CIDR notation. */
export const rangeFamily = (range: string): IpFamily => familyOf(range);

/** Whether a range is all addresses. */
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
  const [groups, width] = familyOf(ip) === 'IPv4' ? [ip.split('.').map(Number), 8n] : [groupsOf(ip) ?? [], 16n];
  return groups.reduce((bits, group) => (bits << width) | BigInt(group), 0n);
}
