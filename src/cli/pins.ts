import { pinnedResult } from '../io/schema/draws.ts';
import { suggest } from '../io/suggest.ts';
import type { Pins } from '../sim/scenario.ts';
import { CommandError, EXIT } from './exitCodes.ts';

/** `--pin a=1 --pin a=2` pins the first two results of draw `a`. */
export function pinsOf(command: string, texts: readonly string[]): Pins {
  const pins = new Map<string, { value: number | string; at: null }[]>();
  for (const text of texts) {
    const equals = text.lastIndexOf('=');
    const [name, written] = [text.slice(0, Math.max(equals, 0)), text.slice(equals + 1)];
    if (!name || !written) throw new CommandError(EXIT.usage, `${command}: --pin ${text} is not NAME=VALUE`);
    const result = pinnedResult.safeParse(/^[-+.\d]/.test(written) ? Number(written) : written);
    if (!result.success) {
      const [message = '', remedy = ''] = result.error.issues[0]?.message.split('\n') ?? [];
      throw new CommandError(EXIT.usage, `${command}: --pin ${text}: ${message}. ${remedy}`);
    }
    pins.set(name, [...(pins.get(name) ?? []), { value: result.data, at: null }]);
  }
  return Object.fromEntries(pins);
}

/** A draw that a run made; `pinned` says that it took the pin. */
interface Taken {
  readonly name: string;
  readonly pinned: boolean;
}

/** What is to be said of pins that decided nothing: one line for each draw that has them. */
export function idlePins(pins: Pins, taken: readonly Taken[]): readonly string[] {
  const drawn = new Map<string, { times: number; pinned: number }>();
  for (const { name, pinned } of taken) {
    const { times, pinned: before } = drawn.get(name) ?? { times: 0, pinned: 0 };
    drawn.set(name, { times: times + 1, pinned: before + (pinned ? 1 : 0) });
  }
  return Object.entries(pins).flatMap(([name, { length }]) => {
    const { times, pinned } = drawn.get(name) ?? { times: 0, pinned: 0 };
    if (pinned === length) return [];
    if (times === 0) return [`nothing is drawn by the name ${name}.${suggestion(name, [...drawn.keys()])}`];
    if (pinned === Math.min(times, length)) return [`${name} is drawn ${times} times only, and has ${length} pins.`];
    return [`a pin of ${name} is no result of that draw, and is left out.`];
  });
}

function suggestion(name: string, drawn: readonly string[]): string {
  const near = suggest(name, drawn);
  return near === null ? ' Names: docs/adding-a-rule.md.' : ` Did you mean ${near}?`;
}
