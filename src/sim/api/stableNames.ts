import { hashText, scramble } from '../../base/hash.ts';

/** Letters that Kubernetes uses in generated names (apimachinery pkg/util/rand): no vowels, nothing that looks like another. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** A word of those letters, always the same for the same text. */
export function stableWord(text: string, length: number): string {
  let letters = '';
  for (let i = 0; i < length; i++) letters += ALPHABET[scramble(hashText(text, i)) % ALPHABET.length];
  return letters;
}

/** A version 4 UUID made of an identity. */
export function stableUid(identity: string): string {
  const part = (i: number): string =>
    scramble(hashText(identity, 0x9e37 + i))
      .toString(16)
      .padStart(8, '0');
  const hex = part(0) + part(1) + part(2) + part(3);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}
