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
