/** What controllers log: a message, and values as JSON. */
type Values = Readonly<Record<string, string | number>>;

/** Phrases by message. */
export type LogTexts = Readonly<Record<string, (values: Values) => string>>;

/** The phrase for a message; one that has none comes as it is, with its values: `zone moved: from a, to b`. */
export function logText(texts: LogTexts, message: string, json: string): string {
  const values = JSON.parse(json || '{}') as Values;
  const phrase = Object.hasOwn(texts, message) ? texts[message] : undefined;
  if (phrase) return phrase(values);
  const told = Object.entries(values).map(([key, value]) => `${key} ${JSON.stringify(value)}`);
  return told.length === 0 ? message : `${message}: ${told.join(', ')}`;
}
