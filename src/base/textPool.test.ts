import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pooledText, TextPool } from './textPool.ts';

describe('TextPool', () => {
  it('gives back each text from its place, whatever the characters', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (texts) => {
        const pool = new TextPool(1);
        const places = texts.map((text) => ({ offset: pool.length, size: pool.append(text) }));
        const bytes = pool.toArray();
        expect(places.map(({ offset, size }) => pooledText(bytes, offset, size))).toEqual(texts);
      }),
    );
  });

  it('keeps a mark of byte order at the begin of a text', () => {
    const pool = new TextPool();
    const size = pool.append('\ufeffa');
    expect(pooledText(pool.toArray(), 0, size)).toBe('\ufeffa');
  });
});
