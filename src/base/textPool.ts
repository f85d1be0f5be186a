import { GROWTH } from './growing.ts';

/** Browsers and Node have these; the simulator is compiled without the types of either. */
declare class TextEncoder {
  encodeInto(text: string, into: Uint8Array): { readonly written: number };
}
declare class TextDecoder {
  constructor(encoding: 'utf-8', options: { readonly ignoreBOM: boolean });
  decode(bytes: Uint8Array): string;
}

const encoder = new TextEncoder();
/** A mark of byte order is part of a text like any other character. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Most bytes that one UTF-16 code unit takes. */
const MOST_BYTES = 3;

/** Texts one after another, as UTF-8. A text may not begin or end within a surrogate pair. */
export class TextPool {
  private bytes: Uint8Array<ArrayBuffer>;
  /** Number of bytes written. */
  length = 0;

  constructor(capacity = 4096) {
    this.bytes = new Uint8Array(capacity);
  }

  /** Appends a text; returns its size in bytes. */
  append(text: string): number {
    this.reserve(this.length + MOST_BYTES * text.length);
    const { written } = encoder.encodeInto(text, this.bytes.subarray(this.length));
    this.length += written;
    return written;
  }

  /** A view of exactly the bytes written: nothing is appended after it. */
  toArray(): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(0, this.length);
  }

  private reserve(size: number): void {
    if (size <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(size, Math.ceil(this.bytes.length * GROWTH)));
    grown.set(this.bytes);
    this.bytes = grown;
  }
}

/** The text of `size` bytes from `offset` on. */
export const pooledText = (bytes: Uint8Array, offset: number, size: number): string =>
  decoder.decode(bytes.subarray(offset, offset + size));
