import { describe, expect, it } from 'vitest';
import { clientRun, DELETE_FIRST } from '../../../test/support/clientRun.ts';
import { rowsByText, rowsOfKind, subjectsOfComponent, subjectsOfPod } from './indexes.ts';
import { COMPONENTS, type EventKind, KIND_NAMES } from './kinds.ts';

const { reader } = clientRun('{from: {node: node-a}, to: {service: web}, interval: 100ms}', { scenario: DELETE_FIRST });
const rows = Array.from({ length: reader.data.rows }, (_, row) => row);

describe('what is looked up is what looking through all finds:', () => {
  it('subjects of each Pod, and those of no Pod', () => {
    const pods = new Set(reader.subjects.map(({ pod }) => pod));
    expect(pods.size).toBeGreaterThan(3);
    for (const pod of pods)
      expect([...subjectsOfPod(reader, pod)]).toEqual(indicesOf(reader.subjects, (subject) => subject.pod === pod));
    expect([...subjectsOfPod(reader, 'default/nobody')]).toEqual([]);
  });

  it('subjects of each component', () => {
    for (const component of COMPONENTS)
      expect([...subjectsOfComponent(reader, component)]).toEqual(
        indicesOf(reader.subjects, (subject) => subject.component === component),
      );
  });

  it.each(KIND_NAMES)('rows that are %s, frequent or rare or none', (kind) => {
    expect([...rowsOfKind(reader, kind)]).toEqual(rows.filter((row) => reader.kindOf(row) === kind));
  });

  it.each<[EventKind, string]>([
    ['clientAttempt', 'pod'],
    ['rulesChanged', 'service'],
  ])('rows that are %s by %s, and of none', (kind, field) => {
    const own = rowsOfKind(reader, kind);
    const ofText = rowsByText(reader, own, kind, field);
    const texts = new Set(Array.from(own, (row) => String(reader.field(row, field))));
    expect(texts.size).toBeGreaterThan(0);
    for (const text of texts)
      expect([...ofText(text)]).toEqual([...own].filter((row) => reader.field(row, field) === text));
    expect([...ofText('nowhere')]).toEqual([]);
  });
});

const indicesOf = <T>(all: readonly T[], wanted: (item: T) => boolean): readonly number[] =>
  all.flatMap((item, index) => (wanted(item) ? [index] : []));
