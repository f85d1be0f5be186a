/**
 * `npm run bench`: measures what docs/performance.md lists, against the targets. Needs a build (`npm run build`) and a
 * Chromium. `--json` prints `{"rows":[{"name","value","unit","target"}]}` and nothing else on standard output.
 * Exit status 1 when something could not be measured; a missed target is no error, as machines differ.
 */
import { fileURLToPath } from 'node:url';
import { run } from '../scripts/lib/run.mjs';
import { buildEngine, type Engine } from './build.ts';
import type { EngineTask } from './engine.ts';
import { jsonText, type Row, tableText } from './report.ts';
import { sliderToPaintedP95 } from './slider.ts';

interface Measurement extends Pick<Row, 'name' | 'unit' | 'target'> {
  readonly measure: (engine: Engine) => Promise<number>;
}

const MEASUREMENTS: readonly Measurement[] = [
  {
    name: 'simulate 1 Pod, 3 probes, 10 min (median)',
    unit: 'ms',
    target: 3,
    measure: ({ measure }) => measure('onePod'),
  },
  {
    name: 'simulate 100 Pods, 2 probes, 1 h (median)',
    unit: 'ms',
    target: 400,
    measure: ({ measure }) => measure('hundredPods'),
  },
  {
    name: 'peak memory of a process that does that once',
    unit: 'MB',
    target: 150,
    measure: ({ measure }) => measure('memory'),
  },
  ...(
    [
      [100, 150],
      [1000, 1500],
      [5000, 7500],
    ] as const
  ).map(
    ([pods, target]): Measurement => ({
      name: `simulate ${pods} Pods on 20 nodes, 3 probes, 1 % flapping, 1 h (median)`,
      unit: 'ms',
      target,
      measure: ({ measure }) => measure(`crowd${pods}`),
    }),
  ),
  {
    name: 'peak memory of a process that does that once with 1000 Pods',
    unit: 'MB',
    target: 300,
    measure: ({ measure }) => measure('crowdMemory'),
  },
  ...(
    [
      [50, 500, 1000],
      [50, 1000, 2000],
      [50, 2000, 4000],
      [10, 1000, 2000],
      [200, 1000, 2000],
    ] as const
  ).map(
    ([services, pods, target]): Measurement => ({
      name: `simulate ${pods} Pods behind ${services} Services, 20 kube-proxies, each Pod not ready and ready once (median)`,
      unit: 'ms',
      target,
      measure: ({ measure }) => measure(`services${services}pods${pods}` as EngineTask),
    }),
  ),
  {
    name: 'peak memory of a process that does that once with 1000 Pods behind 50 Services',
    unit: 'MB',
    target: 400,
    measure: ({ measure }) => measure('servicesMemory'),
  },
  ...(
    [
      [50, 'restart50'],
      [1, 'restart1'],
    ] as const
  ).map(
    ([deployments, task]): Measurement => ({
      name: `simulate a rolling restart of 1000 Pods in ${deployments} Deployments on 20 nodes, 100 requests a second, 30 min`,
      unit: 'ms',
      target: 3000,
      measure: ({ measure }) => measure(task),
    }),
  ),
  {
    name: 'peak memory of a process that does that once with 50 Deployments',
    unit: 'MB',
    target: 400,
    measure: ({ measure }) => measure('restartMemory'),
  },
  ...(
    [
      ['why is this Pod not a backend, the first question about that run', 'firstWhyOnRestart'],
      ['why is this Pod not a backend, on that run (median)', 'whyOnRestart'],
      ['the path of a Pod, as the first question about that run', 'firstPathOnRestart'],
      ['the path of a Pod, on that run (median)', 'pathOnRestart'],
    ] as const
  ).map(([name, task]): Measurement => ({ name, unit: 'ms', target: 50, measure: ({ measure }) => measure(task) })),
  { name: 'slider input to painted frame (p95)', unit: 'ms', target: 50, measure: sliderToPaintedP95 },
  { name: 'initial JavaScript (gzip)', unit: 'kB', target: 300, measure: initialKilobytes },
  { name: 'read the example text (median)', unit: 'ms', target: 10, measure: ({ measure }) => measure('read') },
  { name: 'apply one slider to it (median)', unit: 'ms', target: 1, measure: ({ measure }) => measure('override') },
];

const asJson = process.argv.includes('--json');
// What helpers say, such as that a browser is being installed, must not mix with the JSON.
if (asJson) console.log = console.error;
const rows = await measureAll();
process.stdout.write(asJson ? jsonText(rows) : tableText(rows));
process.exitCode = rows.some(({ value }) => value === null) ? 1 : 0;

/** One after the other, so that none slows another down. */
async function measureAll(): Promise<readonly Row[]> {
  const engine = await buildEngine();
  const measured: Row[] = [];
  for (const { measure, ...about } of MEASUREMENTS) {
    try {
      measured.push({ ...about, value: await measure(engine), problem: null });
    } catch (error) {
      measured.push({ ...about, value: null, problem: error instanceof Error ? error.message : String(error) });
    }
  }
  engine.remove();
  return measured;
}

async function initialKilobytes(): Promise<number> {
  const script = fileURLToPath(new URL('../scripts/size.mjs', import.meta.url));
  const { output } = await run(process.execPath, [script, '--json']);
  // Above its limit it exits with 1 and prints the number all the same.
  if (!output.startsWith('{')) throw new Error(output.trim());
  return (JSON.parse(output) as { readonly gzipBytes: number }).gzipBytes / 1000;
}
