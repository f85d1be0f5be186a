import { expect, it } from 'vitest';
import type { Issue } from '../issue.ts';
import { readScenario } from '../readScenario.ts';
import { frameIssue } from './frame.ts';

it('shows file, place, line, caret and remedy', () => {
  const text = 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers: [{name: app, imag: x}]\n';
  const frames = readScenario(text).issues.map((issue) => frameIssue(issue, text, 'web.yaml'));
  expect(frames.join('')).toBe(
    `web.yaml:5:3: error: image is required
  containers: [{name: app, imag: x}]
               ^
= Add image.
web.yaml:5:28: error: unknown field imag
  containers: [{name: app, imag: x}]
                           ^^^^
= Did you mean image?
`.replace('5:3:', '5:16:'),
  );
});

const issue: Issue = {
  severity: 'note',
  line: 1,
  column: 3,
  endLine: 2,
  endColumn: 1,
  path: '',
  setting: null,
  message: 'm',
  remedy: null,
};

it.each<[name: string, text: string, over: Partial<Issue>, source: string, caret: string]>([
  ['keeps tabs before the caret', 'a\tbc', {}, 'a\tbc', ' \t^^'],
  ['ends the caret with the line when the place goes on', 'abcd\nef', {}, 'abcd', '  ^^'],
  ['has one caret at the end of a line', 'ab', { endLine: 1, endColumn: 3 }, 'ab', '  ^'],
  ['has one caret in an empty text', '', { column: 1, endLine: 1, endColumn: 2 }, '', '^'],
])('%s', (_name, text, over, source, caret) => {
  expect(
    frameIssue({ ...issue, ...over }, text, 'f')
      .split('\n')
      .slice(1, 3),
  ).toEqual([source, caret]);
});
