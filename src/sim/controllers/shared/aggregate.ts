/** Several errors as one text, each once; '' for none. Source: apimachinery pkg/util/errors, aggregate.Error. */
export function aggregate(errors: readonly string[]): string {
  const [first = '', ...others] = new Set(errors);
  return others.length === 0 ? first : `[${[first, ...others].join(', ')}]`;
}
