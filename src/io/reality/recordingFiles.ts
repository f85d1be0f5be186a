import * as z from 'zod';
import { parseRfc3339 } from '../../base/rfc3339.ts';

/** The text of a file of a recording's folder; null when it is not there. */
export type ReadFile = (name: string) => string | null;

/** What is wrong with a recording: the message names the file, the place in it and the remedy. */
export class RecordingError extends Error {}

/** The text of a file that a recording cannot do without. */
export function needed(read: ReadFile, name: string): string {
  const text = read(name);
  if (text === null)
    throw new RecordingError(`${name} is missing: name the folder of one recording, with all its files`);
  return text;
}

/** Checks the data of a file. */
export function checked<T extends z.ZodType>(type: T, data: unknown, file: string, line?: number): z.output<T> {
  const result = type.safeParse(data);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = [file, ...(line ? [`line ${line}`] : []), (issue?.path ?? []).join('.')].filter(Boolean).join(', ');
  throw new RecordingError(`${where}: ${issue?.message}`);
}

/** The objects of a file of one JSON object a line, each of `type`; a line of another kind than `keep` is left out unchecked. */
export function jsonLines<T extends z.ZodType>(
  text: string,
  file: string,
  type: T,
  keep: (line: string) => boolean = () => true,
): z.output<T>[] {
  return text.split('\n').flatMap((line, i) => {
    if (line.trim() === '' || !keep(line)) return [];
    return [checked(type, parsedJson(line, file, i + 1), file, i + 1)];
  });
}

/** Parses JSON. `line` is where it stands in the file; without it the file is one JSON text. */
export function parsedJson(text: string, file: string, line?: number): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const where = line ? `${file}, line ${line}` : file;
    throw new RecordingError(
      `${where}: no JSON (${error instanceof Error ? error.message : error}); is the file cut off?`,
    );
  }
}

/** An RFC 3339 time as µs since the Unix epoch. */
export const wallTime = z.string().transform((text, context) => {
  const time = parseRfc3339(text);
  if (time !== null) return time;
  context.addIssue({ code: 'custom', message: `"${text}" is no RFC 3339 time` });
  return z.NEVER;
});

/** A line of a log: when, and what it says after the place in the source. */
export interface LogLine {
  /** µs since the Unix epoch. */
  readonly at: number;
  readonly text: string;
}

const KLOG = /^[IWEF](\d\d)(\d\d) (\d\d:\d\d:\d\d\.\d{6}) +\d+ (\S+\] .*)$/;

/** Lines of klog text that hold one of `about`. The year, which they leave out, is that of `around`, µs since the Unix epoch, or a neighbour. */
export function klogLines(text: string, about: readonly string[], around: number): readonly LogLine[] {
  return text.split('\n').flatMap((line) => {
    const match = about.some((word) => line.includes(word)) && KLOG.exec(line);
    if (!match) return [];
    const [, month, day, clock, said = ''] = match;
    return [{ at: nearest(`${month}-${day}T${clock}Z`, around), text: said }];
  });
}

/** The µs since the Unix epoch of a time without its year that are nearest to `around`. */
function nearest(rest: string, around: number): number {
  const guess = 1970 + Math.floor(around / YEAR);
  const times = [guess - 1, guess, guess + 1].map((year) => parseRfc3339(`${year}-${rest}`) ?? 0);
  return times.reduce((best, time) => (Math.abs(time - around) < Math.abs(best - around) ? time : best));
}
const YEAR = 365.2425 * 86_400 * 1_000_000;

/** The value of `key="…"` in a structured log line; '' without it. */
export const valueIn = (text: string, key: string): string => new RegExp(` ${key}="([^"]*)"`).exec(text)?.[1] ?? '';
