import { expect, it } from 'vitest';
import { readSource } from './source.ts';
import { yamlText } from './write.ts';

it.each<[value: unknown]>([
  ['yes'],
  ['N'],
  ['off'],
  ['010'],
  ['0x10'],
  ['1e3'],
  ['true'],
  ['null'],
  ['2026-01-01'],
  ['a: b # c'],
  ['{{ .Values.x }}'],
  [8],
  [true],
])('%j is read as what was written', (value) => {
  const [document, ...others] = readSource(yamlText({ on: value, list: [value] })).documents;
  expect(document?.value).toEqual({ on: value, list: [value] });
  expect(others).toEqual([]);
});
