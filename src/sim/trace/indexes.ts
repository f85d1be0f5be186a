/** Subjects and rows of a trace by what they name. What is kept is sorted out once for each run, then looked up. */
import { Chains } from '../../base/chains.ts';
import { memoizedWeakly } from '../../base/memoized.ts';
import { COMPONENTS, type Component, type EventKind, KIND_NAMES } from './kinds.ts';
import type { TraceReader } from './reader.ts';

/** Indices of the subjects of a Pod (identity); of '' those that are about no Pod. The same array for each call. */
export const subjectsOfPod = (reader: TraceReader, pod: string): Uint32Array => byPod(reader)(pod);

/** Indices of the subjects of a component. The same array for each call. */
export const subjectsOfComponent = (reader: TraceReader, component: Component): Uint32Array =>
  byComponent(reader).of(COMPONENTS.indexOf(component));

/** How far the next row of a kind is looked for one by one; beyond, a search is quicker. */
const NEAR = 32;

/** Rows of a kind in order. */
export function rowsOfKind({ data: { kind } }: TraceReader, wanted: EventKind): Uint32Array {
  const number = KIND_NAMES.indexOf(wanted);
  const found: number[] = [];
  for (let row = kind.indexOf(number); row >= 0; ) {
    found.push(row++);
    const far = row + NEAR;
    while (row < far && kind[row] !== number) row++;
    if (row === far) row = kind.indexOf(number, row);
  }
  return new Uint32Array(found);
}

/** Of some rows of a kind those that have a text in one of their fields, in the order in which they are given. */
export function rowsByText<K extends EventKind>(
  reader: TraceReader,
  rows: Uint32Array,
  kind: K,
  field: string,
): (text: string) => Uint32Array {
  const { payload, slot } = reader.data;
  const column = payload[kind][field] as Uint32Array;
  const places = placesByText(
    reader,
    rows.map((row) => column[slot[row] as number] as number),
  );
  return (text) => places(text).map((place) => rows[place] as number);
}

const byPod = memoizedWeakly((reader: TraceReader) => placesByText(reader, reader.data.subjects.pod));
const byComponent = memoizedWeakly(
  ({ data: { subjects } }: TraceReader) => new Chains(Uint32Array.from(subjects.component), COMPONENTS.length),
);

const NOWHERE = new Uint32Array();

/** Places in a column by text. `column`: of each place the number of its text in the table of strings. */
function placesByText({ data: { strings } }: TraceReader, column: Uint32Array): (text: string) => Uint32Array {
  const chains = new Chains(column, strings.length);
  const numbers = new Map(chains.keys.map((number) => [strings[number] as string, number]));
  return (text) => {
    const number = numbers.get(text);
    return number === undefined ? NOWHERE : chains.of(number);
  };
}
