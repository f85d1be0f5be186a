import { EVENT_KINDS, KIND_NAMES } from '../../src/sim/trace/kinds.ts';
import type { TraceReader } from '../../src/sim/trace/reader.ts';

/**
 * A trace with one row for each event, in canonical order, as the bytes of its columns: two traces of one run have the same
 * bytes, however they were packed. References are rewritten to the new rows, and strings and subjects numbered anew, in the
 * order in which the rows name them: a packed row may name them earlier or later than a plain one.
 */
export function unpackedBytes(reader: TraceReader): Uint8Array {
  const refs = reader.refs();
  const place = new Map(refs.map(({ row, ordinal }, index) => [`${row}/${ordinal}`, index]));
  const columns: number[][] = [[], [], [], [], [], [], [], []];
  const [kinds, starts, lengths, subjects, depths, causes, armed, payloads] = columns as [
    number[],
    number[],
    number[],
    number[],
    number[],
    number[],
    number[],
    number[],
  ];
  const { data } = reader;
  const strings = new Numbering();
  const subjectNumbers = new Numbering();
  for (const ref of refs) {
    const { row, ordinal } = ref;
    kinds.push(data.kind[row] as number);
    starts.push(reader.startOf(ref));
    lengths.push(data.length[row] as number);
    subjects.push(subjectNumbers.of(data.subject[row] as number));
    depths.push(ordinal === 0 ? (data.depth[row] as number) : 0);
    const list = reader.causesOf(ref);
    causes.push(list.length, ...list.map((cause) => place.get(`${cause.row}/${cause.ordinal}`) ?? -2));
    const arming = reader.armedBy(ref);
    armed.push(arming ? (place.get(`${arming.row}/${arming.ordinal}`) ?? -2) : -1);
    const kind = KIND_NAMES[data.kind[row] as number] as keyof typeof EVENT_KINDS;
    for (const [field, type] of Object.entries(EVENT_KINDS[kind])) {
      const value = data.payload[kind][field]?.[data.slot[row] as number] as number;
      payloads.push(type === 'string' ? strings.of(value) : value);
    }
  }
  const parts = columns.map((column) => new Uint8Array(Float64Array.from(column).buffer));
  const text = new TextEncoder().encode(
    JSON.stringify([
      strings.old.map((index) => data.strings[index]),
      subjectNumbers.old.map((index) => reader.subjects[index]),
    ]),
  );
  return Uint8Array.from([...parts, text].flatMap((part) => [...part]));
}

/** New numbers for old ones, by first use. */
class Numbering {
  readonly old: number[] = [];
  private readonly numbers = new Map<number, number>();

  of(old: number): number {
    const known = this.numbers.get(old);
    if (known !== undefined) return known;
    this.numbers.set(old, this.old.length);
    this.old.push(old);
    return this.old.length - 1;
  }
}
