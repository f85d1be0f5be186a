import type { TraceReader } from '../../sim/trace/reader.ts';

/** Version of the product's own JSON form of a trace; docs/trace-json.md describes it. */
export const TRACE_JSON_SCHEMA = 'podtopool/trace/v1';

/** One event of the JSON form. Instants are µs since the scenario's start. */
export interface TraceJsonEvent {
  /** (row, ordinal): stable for the same scenario. */
  readonly id: readonly [number, number];
  readonly t: number;
  /** Null while the event had not ended at the horizon; absent for an instant. */
  readonly end?: number | null;
  readonly kind: string;
  readonly component: string;
  readonly node?: string;
  readonly pod?: string;
  readonly container?: string;
  readonly probe?: string;
  readonly payload: Readonly<Record<string, string | number>>;
  readonly causes?: readonly (readonly [number, number])[];
  readonly armedBy?: readonly [number, number];
}

export interface TraceJson {
  readonly schema: typeof TRACE_JSON_SCHEMA;
  readonly kubernetes: string;
  /** The run covers [0, horizonUs). */
  readonly horizonUs: number;
  /** Wall clock at t = 0, µs since the Unix epoch. */
  readonly wallClockUs: number;
  readonly events: readonly TraceJsonEvent[];
  /** Every version of every object: since when it holds, and its content. Payload fields `object` are indices `version`. */
  readonly objects: Readonly<
    Record<string, readonly { readonly version: number; readonly since: number; readonly content: unknown }[]>
  >;
}

/** A trace as plain JSON. `keep` selects events; objects are always whole. */
export function traceToJson(reader: TraceReader, kubernetes: string, keep: (component: string) => boolean): TraceJson {
  const events = reader.events().filter(({ subject }) => keep(subject.component));
  return {
    schema: TRACE_JSON_SCHEMA,
    kubernetes,
    horizonUs: reader.data.horizon,
    wallClockUs: reader.data.wallClock,
    events: events.map((event): TraceJsonEvent => {
      const { component, node, pod, container, probe } = event.subject;
      const causes = reader.causesOf(event.ref).map(({ row, ordinal }) => [row, ordinal] as const);
      const armed = reader.armedBy(event.ref);
      return {
        id: [event.ref.row, event.ref.ordinal],
        t: event.at,
        ...(event.end !== event.at && { end: Number.isNaN(event.end) ? null : event.end }),
        kind: event.kind,
        component,
        ...(node && { node }),
        ...(pod && { pod }),
        ...(container && { container }),
        ...(probe && { probe }),
        payload: event.payload,
        ...(causes.length > 0 && { causes }),
        ...(armed && { armedBy: [armed.row, armed.ordinal] as const }),
      };
    }),
    objects: Object.fromEntries(
      reader.objectKeys.map((key) => [
        key,
        reader.versionsOf(key).map(({ index, since }) => ({
          version: index,
          since,
          content: JSON.parse(reader.versionText(index)) as unknown,
        })),
      ]),
    ),
  };
}
