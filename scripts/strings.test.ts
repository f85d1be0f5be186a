import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const SRC = new URL('../src/', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, SRC), 'utf8');
const files = readdirSync(SRC, { recursive: true })
  .map(String)
  .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'));
const sources = files
  .filter((file) => !file.startsWith('app/strings/'))
  .map(read)
  .join('\n');

describe('what the page says', () => {
  it.each(files.filter((file) => file.startsWith('app/strings/en/')))('is said somewhere: %s', (file) => {
    const names = [...read(file).matchAll(/^ +(\w+): /gm)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(sources))).toEqual([]);
  });
});
