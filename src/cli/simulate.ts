import { parseArgs } from 'node:util';
import { formatInstant } from '../base/format.ts';
import { micros } from '../base/units.ts';
import { eventEn } from '../explain/words/eventEn.ts';
import { traceToJson } from '../io/export/traceJson.ts';
import { runToRecording } from '../io/recording/kubelet/fromRun.ts';
import { releaseOf } from '../sim/facts.ts';
import type { Run } from '../sim/run.ts';
import { COMPONENTS } from '../sim/trace/kinds.ts';
import { finishedRun } from '../sim/trace/podsOfRun.ts';
import { TraceReader } from '../sim/trace/reader.ts';
import { CommandError, EXIT } from './exitCodes.ts';
import { idlePins, pinsOf } from './pins.ts';
import { runToEnd } from './play.ts';
import { type Input, readInput } from './readInput.ts';
import { changed, SCENARIO_OPTIONS, SCENARIO_OPTIONS_HELP } from './scenarioOptions.ts';
import type { Terminal } from './terminal.ts';

export const SIMULATE_HELP = `podtopool simulate [options] FILE

Simulates a scenario (YAML: manifests and an optional "kind: Scenario" document) or the scenario part of a
recording (JSON), and prints its timeline. "-" reads standard input.

  --format text             one line an event (default)
  --format json             the product's own schema, ${'podtopool/trace/v1'}
  --format recording[=KIND] the schema of a recording; KIND: kubelet
  --lane NAME               only events of that component; repeat for more
                            (${COMPONENTS.join(', ')})
${SCENARIO_OPTIONS_HELP}`;

const OPTIONS = {
  format: { type: 'string', default: 'text' },
  lane: { type: 'string', multiple: true },
  ...SCENARIO_OPTIONS,
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
  const scenario = changed('simulate', input.scenario, values);
  if (format === 'recording' && scenario.cluster)
    throw new CommandError(
      EXIT.usage,
      'simulate: --format recording=kubelet has no place for Services and kube-proxy; use text or json',
    );
  const run = runToEnd(scenario);
  // A recording's own pins may lie behind --until; whoever wrote the others meant them.
  const meant = input.kind === 'recording' ? pinsOf('simulate', values.pin ?? []) : scenario.pins;
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
  const { scenario: all, reader } = finishedRun(scenario, new TraceReader(run.trace()));
  const names = new Map(all.pods.map(({ identity, name }) => [identity, name]));
  const rows = reader.events(micros(0)).flatMap((event) => {
    const { component, pod, container, probe, node, object } = event.subject;
    if (!lanes.has(component)) return [];
    const about = pod ? [names.get(pod) ?? pod, container, probe].filter(Boolean).join('/') : node || object;
    return [[formatInstant(event.at, true), component, about, eventEn.event(event)] as const];
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
