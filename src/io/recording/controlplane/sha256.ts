/** SHA-256 (FIPS 180-4), for digests that recordings compare; nothing here guards a secret. */

const firstPrimes = (count: number): readonly number[] => {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return primes;
};
/** The first 32 bits of the fraction of a number. */
const fraction = (value: number): number => ((value - Math.floor(value)) * 2 ** 32) >>> 0;

const PRIMES = firstPrimes(64);
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUNDS = PRIMES.map((prime) => fraction(Math.cbrt(prime)));

const turn = (bits: number, by: number): number => (bits >>> by) | (bits << (32 - by));

/** The digest of a text's UTF-8 bytes as 64 hexadecimal digits. */
export function sha256(text: string): string {
  const bytes = utf8(text);
  const padded = new Uint8Array(((bytes.length + 8) >> 6) * 64 + 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 0x20000000));
  view.setUint32(padded.length - 4, bytes.length << 3);
  const state = Uint32Array.from(START);
  for (let offset = 0; offset < padded.length; offset += 64) mix(state, view, offset);
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('');
}

/** Mixes one block of 64 bytes into the state. */
function mix(state: Uint32Array, view: DataView, offset: number): void {
  const w = new Uint32Array(64);
  const word = (i: number): number => w[i] as number;
  for (let i = 0; i < 16; i++) w[i] = view.getUint32(offset + i * 4);
  for (let i = 16; i < 64; i++) {
    const s0 = turn(word(i - 15), 7) ^ turn(word(i - 15), 18) ^ (word(i - 15) >>> 3);
    const s1 = turn(word(i - 2), 17) ^ turn(word(i - 2), 19) ^ (word(i - 2) >>> 10);
    w[i] = word(i - 16) + s0 + word(i - 7) + s1;
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as Eight;
  for (let i = 0; i < 64; i++) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const first = (h + s1 + ((e & f) ^ (~e & g)) + (ROUNDS[i] as number) + word(i)) | 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, i) => {
    state[i] = (state[i] as number) + value;
  });
}
type Eight = [number, number, number, number, number, number, number, number];

/** There is no TextEncoder without the DOM's types. */
const utf8 = (text: string): Uint8Array =>
  Uint8Array.from(unescape(encodeURIComponent(text)), (letter) => letter.charCodeAt(0));
