/**
 * `node engine.mjs TASK` prints one number: what that task measured in this process. bench/build.ts bundles it first, so
 * that the engine is measured as it ships; through tsx it takes 1.4 times as long.
 */
import { readFileSync } from 'node:fs';
import { type Micros, micros } from '../src/base/units.ts';
import { pathOf } from '../src/explain/path.ts';
import { whyAt } from '../src/explain/why.ts';
import { EXAMPLES } from '../src/io/examples/examples.ts';
import { parseText } from '../src/io/manifest/parse.ts';
import { applyOverrides, readScenario } from '../src/io/readScenario.ts';
import type { PodInput, Scenario } from '../src/sim/scenario.ts';
import { simulate } from '../src/sim/simulate.ts';
import { finishedRun } from '../src/sim/trace/podsOfRun.ts';
import { TraceReader } from '../src/sim/trace/reader.ts';
import type { FinishedRun } from '../src/sim/trace/run.ts';
import { crowd, crowdBehind, HUNDRED_PODS, ONE_POD, rollingRestart } from './scenarios.ts';
import { median } from './statistics.ts';

const EXAMPLE = EXAMPLES[0]?.text ?? '';
const MOVED_SLIDER = [{ path: 'default/web/app/readiness/periodSeconds', value: 5 }];

function scenarioOf(text: string): Scenario {
  const { scenario, issues } = readScenario(text);
  if (!scenario) throw new Error(issues.map(({ message }) => message).join('; '));
  return scenario;
}

/** Median length of `work` after `warmUp` rounds that do not count, ms. */
function medianMs(warmUp: number, rounds: number, work: () => unknown): number {
  const lengths: number[] = [];
  for (let round = -warmUp; round < rounds; round++) {
    const begin = performance.now();
    work();
    if (round >= 0) lengths.push(performance.now() - begin);
  }
  return median(lengths);
}

/**
 * Largest resident set of this process, MB. Linux counts a parent's memory into getrusage's maximum of its child, so what
 * the kernel says of our own memory comes first.
 */
function peakMegabytes(): number {
  const own =
    process.platform === 'linux' ? /VmHWM:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] : null;
  return (Number(own ?? process.resourceUsage().maxRSS) * 1024) / 1e6;
}

/** A text may not have as many Pods as the simulator is measured with. */
const MOST_READ = 1000;

/** The scenario with so many copies of each Pod. */
const times = (scenario: Scenario, copies: number): Scenario => ({
  ...scenario,
  pods: Array.from({ length: copies }, (_, i) =>
    scenario.pods.map((pod) => ({
      ...pod,
      identity: `${pod.identity}/${i}`,
      name: `${pod.name}-${i}`,
      uid: `${pod.uid}-${i}`,
    })),
  ).flat(),
});

/** ms */
function crowdMs(pods: number): number {
  const scenario = times(scenarioOf(crowd(Math.min(pods, MOST_READ))), Math.max(1, pods / MOST_READ));
  return medianMs(1, 3, () => simulate(scenario));
}

/** ms */
function servicesMs(services: number, pods: number): number {
  const scenario = scenarioOf(crowdBehind(services, pods));
  return medianMs(1, 3, () => simulate(scenario));
}

/** ms; once, as it is long. */
function restartMs(deployments: number): number {
  const scenario = scenarioOf(rollingRestart(deployments, 1000));
  return medianMs(0, 1, () => simulate(scenario));
}

const SERVICE = 'default/web-0';

type Ask = (run: FinishedRun, pod: PodInput, at: Micros) => unknown;

const why: Ask = (run, pod, at) => whyAt(run, { pod, service: SERVICE, node: null, at });
const path: Ask = (run, pod) => pathOf(run, pod, SERVICE, '');

/** How long each question about a Pod of a Deployment takes after its restart, ms; the first with all that it makes for later ones. */
function onRestart(ask: Ask): readonly number[] {
  const scenario = scenarioOf(rollingRestart(50, 1000));
  const run = finishedRun(scenario, new TraceReader(simulate(scenario)));
  const pods = run.scenario.pods.filter(({ identity }) => identity.startsWith(`${SERVICE}#2/`));
  return pods.map((pod, i) => medianMs(0, 1, () => ask(run, pod, micros((320 + i) * 1e6))));
}

const first = ([length = Number.NaN]: readonly number[]): number => length;

const TASKS = {
  onePod: () => {
    const scenario = scenarioOf(ONE_POD);
    return medianMs(50, 101, () => simulate(scenario));
  },
  hundredPods: () => {
    const scenario = scenarioOf(HUNDRED_PODS);
    return medianMs(2, 9, () => simulate(scenario));
  },
  memory: () => {
    simulate(scenarioOf(HUNDRED_PODS));
    return peakMegabytes();
  },
  crowd100: () => crowdMs(100),
  crowd1000: () => crowdMs(1000),
  crowd5000: () => crowdMs(5000),
  crowdMemory: () => {
    simulate(scenarioOf(crowd(1000)));
    return peakMegabytes();
  },
  services50pods500: () => servicesMs(50, 500),
  services50pods1000: () => servicesMs(50, 1000),
  services50pods2000: () => servicesMs(50, 2000),
  services10pods1000: () => servicesMs(10, 1000),
  services200pods1000: () => servicesMs(200, 1000),
  servicesMemory: () => {
    simulate(scenarioOf(crowdBehind(50, 1000)));
    return peakMegabytes();
  },
  restart50: () => restartMs(50),
  restart1: () => restartMs(1),
  restartMemory: () => {
    simulate(scenarioOf(rollingRestart(50, 1000)));
    return peakMegabytes();
  },
  firstWhyOnRestart: () => first(onRestart(why)),
  whyOnRestart: () => median(onRestart(why)),
  firstPathOnRestart: () => first(onRestart(path)),
  pathOnRestart: () => median(onRestart(path)),
  read: () => medianMs(50, 101, () => readScenario(EXAMPLE)),
  override: () => {
    const parsed = parseText(EXAMPLE);
    return medianMs(50, 101, () => applyOverrides(parsed, MOVED_SLIDER));
  },
} as const satisfies Readonly<Record<string, () => number>>;

/** What the bench may ask this program for. */
export type EngineTask = keyof typeof TASKS;

const task = Object.entries(TASKS).find(([name]) => name === process.argv[2])?.[1];
if (!task) throw new Error(`unknown task ${process.argv[2]}; there are ${Object.keys(TASKS).join(', ')}`);
console.log(task());
