import { seconds } from '../base/units.ts';
import { parseDuration } from '../io/schema/duration.ts';
import { OLDEST_VERSION, REFERENCE_VERSION, readVersion } from '../io/schema/kubernetesVersion.ts';
import { ruleOf } from '../io/settings.ts';
import type { Scenario } from '../sim/scenario.ts';
import { CommandError, EXIT } from './exitCodes.ts';
import { pinsOf } from './pins.ts';

/** What all commands that simulate one file understand, for `parseArgs`. */
export const SCENARIO_OPTIONS = {
  until: { type: 'string' },
  seed: { type: 'string' },
  kubernetes: { type: 'string' },
  pin: { type: 'string', multiple: true },
  'no-pins': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

export const SCENARIO_OPTIONS_HELP = `  --until TIME              end the run there: 90s, 10m, or seconds
  --seed NUMBER             decides every draw that is not pinned
  --kubernetes VERSION      the kubelet of that version: ${OLDEST_VERSION} to ${REFERENCE_VERSION}
  --pin NAME=VALUE          pin the next result of a draw; repeat for the ones after it
  --no-pins                 leave out the pins of the scenario or recording
`;

interface Changes {
  readonly until?: string | undefined;
  readonly seed?: string | undefined;
  readonly kubernetes?: string | undefined;
  readonly pin?: readonly string[] | undefined;
  readonly 'no-pins': boolean;
}

/** The scenario with what the options of `command` change. A value that is none is a CommandError. */
export function changed(
  command: string,
  scenario: Scenario,
  { until, seed, kubernetes, pin, 'no-pins': noPins }: Changes,
): Scenario {
  return {
    ...scenario,
    duration: until === undefined ? scenario.duration : seconds(durationOf(command, until)),
    seed: seed === undefined ? scenario.seed : wholeNumber(command, seed),
    kubernetes: kubernetes === undefined ? scenario.kubernetes : versionOf(command, kubernetes),
    pins: { ...(noPins ? {} : scenario.pins), ...pinsOf(command, pin ?? []) },
  };
}

function durationOf(command: string, text: string): number {
  const length = /^\d+(\.\d+)?$/.test(text) ? Number(text) : parseDuration(text);
  if (length === null || length <= 0)
    throw new CommandError(EXIT.usage, `${command}: --until ${text} is no length of time; write 90s, 10m or 1m30s`);
  return atMost(command, 'duration', '--until', length);
}

function wholeNumber(command: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new CommandError(EXIT.usage, `${command}: --seed ${text} is no whole number`);
  return atMost(command, 'seed', '--seed', Number(text));
}

function versionOf(command: string, text: string): string {
  const read = readVersion(text);
  if ('minor' in read) return `1.${read.minor}`;
  throw new CommandError(EXIT.usage, `${command}: --kubernetes: ${read.complaint.message}. ${read.complaint.remedy}`);
}

/** No more than the Scenario document's field of that name may have. */
function atMost(command: string, setting: 'duration' | 'seed', option: string, value: number): number {
  const max = ruleOf(setting)?.max ?? Number.POSITIVE_INFINITY;
  if (value > max) throw new CommandError(EXIT.usage, `${command}: ${option} must be ${max} or less, not ${value}`);
  return value;
}
