import { parseArgs } from 'node:util';
import { formatInstant } from '../base/format.ts';
import { micros, seconds } from '../base/units.ts';
import { en } from '../explain/words/en.ts';
import { traceToJson } from '../io/export/traceJson.ts';
import { runToRecording } from '../io/recording/kubelet/fromRun.ts';
import { parseDuration } from '../io/schema/duration.ts';
import { OLDEST_VERSION, REFERENCE_VERSION, readVersion } from '../io/schema/kubernetesVersion.ts';
import { ruleOf } from '../io/settings.ts';
import { releaseOf } from '../sim/facts.ts';
import type { Run } from '../sim/run.ts';
import type { Scenario } from '../sim/scenario.ts';
import { COMPONENTS } from '../sim/trace/kinds.ts';
import { TraceReader } from '../sim/trace/reader.ts';
import { CommandError, EXIT } from './exitCodes.ts';
import { idlePins, pinsOf } from './pins.ts';
import { runToEnd } from './play.ts';
import { type Input, readInput } from './readInput.ts';
import type { Terminal } from './terminal.ts';

export const SIMULATE_HELP = `podtopool simulate [options] FILE

Simulates a scenario (YAML: manifests and an optional "kind: Scenario" document) or the scenario part of a
recording (JSON), and prints its timeline. "-" reads standard input.

  --format text             one line an event (default)
  --format json             the product's own schema, ${'podtopool/trace/v1'}
  --format recording[=KIND] the schema of a recording; KIND: kubelet
  --until TIME              end the run there: 90s, 10m, or seconds
  --seed NUMBER             decides every draw that is not pinned
  --kubernetes VERSION      the kubelet of that version: ${OLDEST_VERSION} to ${REFERENCE_VERSION}
  --lane NAME               only events of that component; repeat for more
                            (${COMPONENTS.join(', ')})
  --pin NAME=VALUE          pin the next result of a draw; repeat for the ones after it
  --no-pins                 leave out the pins of the scenario or recording
`;

const OPTIONS = {
  format: { type: 'string', default: 'text' },
  until: { type: 'string' },
  seed: { type: 'string' },
  kubernetes: { type: 'string' },
  lane: { type: 'string', multiple: true },
  pin: { type: 'string', multiple: true },
  'no-pins': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** Simulates one file and prints what happened. Returns the exit status. */
export function simulateCommand(args: readonly string[], terminal: Terminal): number {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
  if (values.help) {
    terminal.out(SIMULATE_HELP);
    return EXIT.ok;
  }
  const [file] = positionals;
  if (file === undefined || positionals.length > 1)
    throw new CommandError(EXIT.usage, 'simulate: name one file, or - for standard input');
  const format = formatOf(values.format);
  const lanes = lanesOf(values.lane ?? []);
  const input = readInput(file, !values['no-pins'], terminal);
  const scenario = changed(input.scenario, values);
  if (format === 'recording' && scenario.cluster)
    throw new CommandError(
      EXIT.usage,
      'simulate: --format recording=kubelet has no place for Services and kube-proxy; use text or json',
    );
  const run = runToEnd(scenario);
  // A recording's own pins may lie behind --until; whoever wrote the others meant them.
  const meant = input.kind === 'recording' ? pinsOf(values.pin ?? []) : scenario.pins;
  for (const idle of idlePins(meant, run.draws().taken)) terminal.err(`podtopool: warning: ${idle}\n`);
  const kubernetes = values.kubernetes === undefined ? input.kubernetes : releaseOf(scenario.kubernetes);
  terminal.out(FORMATTERS[format]({ ...input, kubernetes, scenario }, run, lanes));
  return EXIT.ok;
}

type Format = 'text' | 'json' | 'recording';

function formatOf(value: string): Format {
  if (value === 'recording=kubelet') return 'recording';
  if (value === 'text' || value === 'json' || value === 'recording') return value;
  throw new CommandError(EXIT.usage, `simulate: unknown format "${value}"; use text, json or recording=kubelet`);
}

function lanesOf(names: readonly string[]): ReadonlySet<string> {
  for (const name of names) {
    if (!COMPONENTS.some((component) => component === name)) {
      throw new CommandError(EXIT.usage, `simulate: unknown lane "${name}"; there are ${COMPONENTS.join(', ')}`);
    }
  }
  return new Set(names.length > 0 ? names : COMPONENTS);
}

interface Changes {
  readonly until?: string | undefined;
  readonly seed?: string | undefined;
  readonly kubernetes?: string | undefined;
  readonly pin?: readonly string[] | undefined;
  readonly 'no-pins': boolean;
}

/** The scenario with what the options change. */
function changed(scenario: Scenario, { until, seed, kubernetes, pin, 'no-pins': noPins }: Changes): Scenario {
  return {
    ...scenario,
    duration: until === undefined ? scenario.duration : seconds(durationOf(until)),
    seed: seed === undefined ? scenario.seed : wholeNumber(seed),
    kubernetes: kubernetes === undefined ? scenario.kubernetes : versionOf(kubernetes),
    pins: { ...(noPins ? {} : scenario.pins), ...pinsOf(pin ?? []) },
  };
}

function durationOf(text: string): number {
  const length = /^\d+(\.\d+)?$/.test(text) ? Number(text) : parseDuration(text);
  if (length === null || length <= 0)
    throw new CommandError(EXIT.usage, `simulate: --until ${text} is no length of time; write 90s, 10m or 1m30s`);
  return atMost('duration', '--until', length);
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new CommandError(EXIT.usage, `simulate: --seed ${text} is no whole number`);
  return atMost('seed', '--seed', Number(text));
}

function versionOf(text: string): string {
  const read = readVersion(text);
  if ('minor' in read) return `1.${read.minor}`;
  throw new CommandError(EXIT.usage, `simulate: --kubernetes: ${read.complaint.message}. ${read.complaint.remedy}`);
}

/** No more than the Scenario document's field of that name may have. */
function atMost(setting: 'duration' | 'seed', option: string, value: number): number {
  const max = ruleOf(setting)?.max ?? Number.POSITIVE_INFINITY;
  if (value > max) throw new CommandError(EXIT.usage, `simulate: ${option} must be ${max} or less, not ${value}`);
  return value;
}

const FORMATTERS: Readonly<Record<Format, (input: Input, run: Run, lanes: ReadonlySet<string>) => string>> = {
  text: textTimeline,
  json: ({ kubernetes }, run, lanes) =>
    `${JSON.stringify(
      traceToJson(new TraceReader(run.trace()), kubernetes, (component) => lanes.has(component)),
      null,
      1,
    )}\n`,
  recording: ({ name, kubernetes, scenario }, run) =>
    `${JSON.stringify(runToRecording(name, kubernetes, scenario, new TraceReader(run.trace()), run.draws().taken), null, 1)}\n`,
};

/** `   11.340 s  probeWorker  web-0/app/readiness   …`: time, component, whom it is about, what happened, from t = 0 on. */
function textTimeline({ scenario }: Input, run: Run, lanes: ReadonlySet<string>): string {
  const names = new Map(scenario.pods.map(({ identity, name }) => [identity, name]));
  const rows = new TraceReader(run.trace()).events(micros(0)).flatMap((event) => {
    const { component, pod, container, probe, node, object } = event.subject;
    if (!lanes.has(component)) return [];
    const about = pod ? [names.get(pod) ?? pod, container, probe].filter(Boolean).join('/') : node || object;
    return [[formatInstant(event.at, true), component, about, en.event(event)] as const];
  });
  const width = (column: 0 | 1 | 2): number => rows.reduce((widest, row) => Math.max(widest, row[column].length), 0);
  const [timeWidth, laneWidth, aboutWidth] = [width(0), width(1), width(2)];
  return rows
    .map(
      ([time, lane, about, words]) =>
        `${time.padStart(timeWidth)}  ${lane.padEnd(laneWidth)}  ${about.padEnd(aboutWidth)}  ${words}\n`,
    )
    .join('');
}
