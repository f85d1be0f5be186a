/**
 * The order in which goroutines begin that were started, or woken, in one go. Go promises none (D-4, D-5); on one
 * processor the last one begins first, then the others in turn. This one order is used wherever it shows.
 */
export function inStartOrder<T>(started: readonly T[]): readonly T[] {
  return started.length < 2 ? started : [...started.slice(-1), ...started.slice(0, -1)];
}
