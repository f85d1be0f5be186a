import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { sha256 } from './sha256.ts';

it.each([0, 1, 55, 56, 63, 64, 65, 119, 120, 1000])('the digest of %i characters is that of node:crypto', (length) => {
  const text = Array.from({ length }, (_, i) => String.fromCodePoint(33 + ((i * 7) % 900))).join('');
  expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'));
});
