import { GrowingColumn } from '../../base/growing.ts';
import { EVENT_KINDS, type FieldType, KIND_NAMES } from './kinds.ts';
import { NO_TEXT, type StringTable } from './strings.ts';
import type { TraceData } from './trace.ts';

/** What an event says: numbers as they are, strings as strings. */
export type AnyPayload = Readonly<Record<string, string | number>>;

interface Field {
  readonly name: string;
  readonly column: GrowingColumn<Float64Array> | GrowingColumn<Uint32Array> | GrowingColumn<Int32Array>;
  /** The last text that was written there, and its number: often the next is the same. */
  text: string;
  number: number;
}

/** The payload columns of a trace. A kind is given by its index in KIND_NAMES; a slot is an index into its columns. */
export class PayloadColumns {
  private readonly strings: StringTable;
  private readonly kinds: readonly (readonly Field[])[] = KIND_NAMES.map((kind) =>
    Object.entries(EVENT_KINDS[kind]).map(([name, type]) => ({
      name,
      column: columnOf(type),
      text: '',
      number: NO_TEXT,
    })),
  );

  constructor(strings: StringTable) {
    this.strings = strings;
  }

  /** Appends a payload. Returns its slot; 0 for a kind without fields. */
  add(kind: number, payload: AnyPayload): number {
    let slot = 0;
    const fields = this.fieldsOf(kind);
    for (let i = 0; i < fields.length; i++) {
      const field = fields[i] as Field;
      const { name, column } = field;
      slot = column.length;
      const value = payload[name] as string | number;
      column.push(typeof value === 'string' ? this.numberOf(value, field) : value);
    }
    return slot;
  }

  /** Replaces those fields of a payload that `change` names. */
  set(kind: number, slot: number, change: Readonly<Record<string, string | number | undefined>>): void {
    for (const field of this.fieldsOf(kind)) {
      const { name, column } = field;
      const value = change[name];
      if (value !== undefined) column.set(slot, typeof value === 'string' ? this.numberOf(value, field) : value);
    }
  }

  private numberOf(text: string, field: Field): number {
    if (text === '') return NO_TEXT;
    if (text !== field.text) {
      field.text = text;
      field.number = this.strings.add(text);
    }
    return field.number;
  }

  /** Whether the slot holds just that. */
  holds(kind: number, slot: number, payload: AnyPayload): boolean {
    return this.fieldsOf(kind).every(({ name, column }) => {
      const value = payload[name] as string | number;
      return column.at(slot) === (typeof value === 'string' ? this.strings.find(value) : value);
    });
  }

  toColumns(): TraceData['payload'] {
    const columns = this.kinds.map((fields, kind) => [
      KIND_NAMES[kind],
      Object.fromEntries(fields.map(({ name, column }) => [name, column.toArray()])),
    ]);
    return Object.fromEntries(columns) as TraceData['payload'];
  }

  private fieldsOf(kind: number): readonly Field[] {
    return this.kinds[kind] as readonly Field[];
  }
}

function columnOf(type: FieldType): Field['column'] {
  if (type === 'string') return new GrowingColumn(Uint32Array, 16);
  return type === 'version' ? new GrowingColumn(Int32Array, 16) : new GrowingColumn(Float64Array, 16);
}
