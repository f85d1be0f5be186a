const GROUPS = 8;

/**
 * An IP address in its usual form: IPv4 without leading zeros; IPv6 in lower case with its longest run of zero groups as
 * `::` (RFC 5952), the first of equals. What is no address comes back as it is.
 */
export function canonicalIp(text: string): string {
  if (!text.includes(':')) return text.replace(/\b0+(?=\d)/g, '');
  const groups = ipv6Groups(text);
  return groups ? ipv6Text(groups) : text;
}

/** The IPv6 address of who has this IPv4 address, in a cluster with both: `fd00:10:1::b` beside 10.1.0.11. */
export function ipv6Beside(ipv4: string): string {
  const [a, b, c = 0, d = 0] = ipv4.split('.').map(Number);
  return canonicalIp(`fd00:${a}:${b}::${(c * 256 + d).toString(16)}`);
}

/** `10.1.0.11` of `10.1.0.11:8080`, `fd00::1` of `[fd00::1]:8080`. */
export const hostOf = (address: string): string => address.slice(0, address.lastIndexOf(':')).replace(/^\[|\]$/g, '');

/** Whether a text is an IPv4 or IPv6 address. */
export const isIpAddress = (text: string): boolean =>
  text.includes(':')
    ? ipv6Groups(text) !== null
    : /^\d{1,3}(\.\d{1,3}){3}$/.test(text) && text.split('.').every((part) => Number(part) <= 255);

/** The eight numbers of an IPv6 address; null when the text is none. */
export function ipv6Groups(text: string): readonly number[] | null {
  const [head = '', tail, ...more] = text.split('::');
  if (more.length > 0) return null;
  const left = numbersOf(head);
  const right = numbersOf(tail ?? '');
  if (!left || !right) return null;
  const missing = GROUPS - left.length - right.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return null;
  return [...left, ...new Array<number>(missing).fill(0), ...right];
}

/** `a:b` as numbers; a dotted end counts as two. Null when one is no group. */
function numbersOf(text: string): readonly number[] | null {
  if (text === '') return [];
  const words = text.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...parts: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = parts.slice(0, 4).map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const groups = words.split(':');
  return groups.every((group) => /^[\da-f]{1,4}$/i.test(group))
    ? groups.map((group) => Number.parseInt(group, 16))
    : null;
}

function ipv6Text(groups: readonly number[]): string {
  let from = 0;
  let longest = 1;
  for (let start = 0; start < GROUPS; start++) {
    let end = start;
    while (groups[end] === 0) end++;
    if (end - start > longest) [from, longest] = [start, end - start];
  }
  const hex = groups.map((group) => group.toString(16));
  if (longest === 1) return hex.join(':');
  return `${hex.slice(0, from).join(':')}::${hex.slice(from + longest).join(':')}`;
}
