import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { EDITS } from './edits.ts';

const SIM = fileURLToPath(new URL('../../src/sim/', import.meta.url));

/** The run that judges the edits takes minutes; that each can still be made is known at once. */
describe('wrong edits of the simulator', () => {
  it.each(EDITS)('$rule $wrong: has one place in $file, and changes it', ({ file, search, replace }) => {
    expect(readFileSync(`${SIM}${file}`, 'utf8').split(search)).toHaveLength(2);
    expect(replace).not.toBe(search);
  });
});
