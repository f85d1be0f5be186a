/** Deterministic hashing of names to numbers: the source of every unpinned draw. */

/** 32-bit FNV-1a of the UTF-16 code units of `text`, started from `seed`. */
export function hashText(text: string, seed: number): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (let i = 0; i < text.length; i++) {
    hash ^= text.charCodeAt(i);
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}

/** Scrambles 32 bits so that neighbouring inputs give unrelated outputs (the finaliser of MurmurHash3). */
export function scramble(bits: number): number {
  let h = bits >>> 0;
  h ^= h >>> 16;
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  h ^= h >>> 16;
  return h >>> 0;
}

/**
 * The fractions of a name: a function from an index to a fraction in [0, 1) with 53 random bits, which depends on
 * (seed, name, index) and nothing else. Changing one name leaves the fractions of all other names as they were.
 */
export function namedFractions(seed: number, name: string): (index: number) => number {
  const base = hashText(name, scramble(seed));
  const other = hashText(name, 0x5bd1e995);
  return (index) => {
    const high = scramble(base ^ scramble(index + 0x9e3779b9));
    const low = scramble(high ^ other ^ index);
    return ((high >>> 5) * 0x4000000 + (low >>> 6)) / 0x20000000000000;
  };
}

/** FNV-1a of an ASCII text, 64 bits (Go's hash/fnv New64a). */
export function fnv1a64(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (let i = 0; i < text.length; i++) hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(i))) * 0x100000001b3n);
  return hash;
}

/** The offset basis 0x6c62272e07bb014262b821756295c58d in pieces of 16 bits, lowest first. */
const BASIS_128 = [0xc58d, 0x6295, 0x2175, 0x62b8, 0x0142, 0x07bb, 0x272e, 0x6c62];
/** The prime is 2^88 + 315. */
const PRIME_128_LOW = 315;

/** FNV-1a of an ASCII text, 128 bits, as 32 hexadecimal digits (Go's hash/fnv New128a). In pieces, because bigints are slow. */
export function fnv1a128(text: string): string {
  const hash = Uint32Array.from(BASIS_128);
  for (let i = 0; i < text.length; i++) {
    hash[0] = (hash[0] as number) ^ text.charCodeAt(i);
    timesPrime128(hash);
  }
  return Array.from(hash, (piece) => piece.toString(16).padStart(4, '0'))
    .reverse()
    .join('');
}

/** times 2^88 is a shift by five pieces and eight bits; what leaves the top is gone. */
function timesPrime128(hash: Uint32Array): void {
  const [h0, h1, h2] = hash as unknown as readonly [number, number, number];
  let carry = 0;
  for (let i = 0; i < 8; i++) {
    const shifted =
      i === 5 ? (h0 << 8) & 0xffff : i === 6 ? ((h1 << 8) | (h0 >>> 8)) & 0xffff : i === 7 ? (h2 << 8) | (h1 >>> 8) : 0;
    const sum = (hash[i] as number) * PRIME_128_LOW + (shifted & 0xffff) + carry;
    hash[i] = sum & 0xffff;
    carry = sum >>> 16;
  }
}
