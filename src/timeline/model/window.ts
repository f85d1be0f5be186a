/** A stretch of time, µs. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}
