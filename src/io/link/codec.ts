import { deflateSync, Inflate, strFromU8, strToU8 } from 'fflate';
import { hashText } from '../../base/hash.ts';

/** A payload unfolds to no more than this: a short link cannot fill the memory. */
export const MOST_BYTES = 1_000_000;
const SLICE = 1024;
const CHECKSUM_BYTES = 4;

/** Text → deflate → four bytes of checksum behind it → base64url. */
export function pack(text: string): string {
  const body = deflateSync(strToU8(text), { level: 9 });
  const bytes = new Uint8Array(body.length + CHECKSUM_BYTES);
  bytes.set(body);
  new DataView(bytes.buffer).setUint32(body.length, hashText(text, 0));
  return toBase64Url(bytes);
}

/** The text of `pack`; null when it is damaged, cut or unfolds to more than MOST_BYTES. */
export function unpack(packed: string): string | null {
  try {
    const bytes = fromBase64Url(packed);
    const end = bytes.length - CHECKSUM_BYTES;
    if (end < 1) return null;
    const text = strFromU8(inflateBounded(bytes.subarray(0, end)));
    return new DataView(bytes.buffer).getUint32(end) === hashText(text, 0) ? text : null;
  } catch {
    return null; // fflate and atob throw at what they did not make
  }
}

/** Feeds the input in slices, so that it stops soon after the limit. Throws when the data is cut or too large. */
function inflateBounded(bytes: Uint8Array): Uint8Array {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let isComplete = false;
  const inflate = new Inflate((chunk, final) => {
    chunks.push(chunk);
    length += chunk.length;
    isComplete = final;
  });
  for (let at = 0; at < bytes.length; at += SLICE) {
    inflate.push(bytes.subarray(at, at + SLICE), at + SLICE >= bytes.length);
    if (length > MOST_BYTES) throw new RangeError('too large');
  }
  if (!isComplete) throw new RangeError('cut');
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
}

function toBase64Url(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64Url(text: string): Uint8Array {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
}
