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
 * A fraction in [0, 1) with 53 random bits, a pure function of its arguments.
 * Changing one name leaves the fractions of all other names as they were.
 */
export function namedFraction(seed: number, name: string, index: number): number {
  const base = hashText(name, scramble(seed));
  const high = scramble(base ^ scramble(index + 0x9e3779b9));
  const low = scramble(high ^ hashText(name, 0x5bd1e995) ^ index);
  return ((high >>> 5) * 0x4000000 + (low >>> 6)) / 0x20000000000000;
}

/** FNV-1a of an ASCII text, 64 bits (Go's hash/fnv New64a). */
export const fnv1a64 = (text: string): bigint => fnv1a(text, 0xcbf29ce484222325n, 0x100000001b3n, 64);

/** FNV-1a of an ASCII text, 128 bits (Go's hash/fnv New128a). */
export const fnv1a128 = (text: string): bigint =>
  fnv1a(text, 0x6c62272e07bb014262b821756295c58dn, 0x0000000001000000000000000000013bn, 128);

function fnv1a(text: string, offset: bigint, prime: bigint, bits: number): bigint {
  let hash = offset;
  for (let i = 0; i < text.length; i++) hash = BigInt.asUintN(bits, (hash ^ BigInt(text.charCodeAt(i))) * prime);
  return hash;
}
