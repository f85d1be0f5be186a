/** The value that the share `p` (0 to 1) of the samples does not exceed; nearest rank. No samples is a RangeError. */
export function percentile(samples: readonly number[], p: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)];
  if (value === undefined) throw new RangeError('no samples');
  return value;
}

export const median = (samples: readonly number[]): number => percentile(samples, 0.5);
