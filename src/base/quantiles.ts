/** A quantile function by its points, from fraction 0 to 1, straight between them. */
export type Quantiles = readonly (readonly [fraction: number, value: number])[];

/** The value below which the fraction `u` lies, a whole number. */
export function quantileAt(quantiles: Quantiles, u: number): number {
  const above = quantiles.findIndex(([fraction]) => fraction >= u);
  const [toFraction, to] = quantiles[above] ?? [1, 0];
  const [fromFraction, from] = quantiles[above - 1] ?? [0, to];
  const share = toFraction > fromFraction ? (u - fromFraction) / (toFraction - fromFraction) : 0;
  return Math.round(from + share * (to - from));
}
