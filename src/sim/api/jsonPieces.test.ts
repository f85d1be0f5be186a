import { describe, expect, it } from 'vitest';
import { sameText } from './jsonPieces.ts';

describe('texts in pieces', () => {
  it('are alike when each piece is, and not when one is missing or differs', () => {
    expect(sameText(['{"a":1', ',"b":2}'], ['{"a":1', ',"b":2}'])).toBe(true);
    expect(sameText(['{"a":1', ',"b":2}'], ['{"a":1', ',"b":3}'])).toBe(false);
    expect(sameText(['{"a":1', ',"b":2}'], ['{"a":1'])).toBe(false);
    expect(sameText('{}', '{}')).toBe(true);
    expect(sameText('{}', '{"a":1}')).toBe(false);
  });
});
