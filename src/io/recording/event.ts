/** One event of a recording: its instant (µs), lane and type, and the fields of that type. */
export interface RecordedEvent {
  readonly t: number;
  readonly lane: string;
  readonly type: string;
  readonly [field: string]: unknown;
}
