import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Micros } from '../../src/base/units.ts';
import { answerAt } from '../../src/explain/answer.ts';
import { backendAt } from '../../src/explain/backendAt.ts';
import { lostRequests } from '../../src/explain/lostRequests.ts';
import { podsOf } from '../../src/explain/podsOf.ts';
import { ruleLines } from '../../src/explain/rulesView.ts';
import { stateAt } from '../../src/explain/stateAt.ts';
import { whoSees } from '../../src/explain/whoSees.ts';
import { whyAt } from '../../src/explain/why.ts';
import { en } from '../../src/explain/words/en.ts';
import { eventEn } from '../../src/explain/words/eventEn.ts';
import { eventZh } from '../../src/explain/words/eventZh.ts';
import { pathEn } from '../../src/explain/words/pathEn.ts';
import { pathZh } from '../../src/explain/words/pathZh.ts';
import { zh } from '../../src/explain/words/zh.ts';
import type { Scenario } from '../../src/sim/scenario.ts';
import { startRun } from '../../src/sim/simulate.ts';
import { finishedRun } from '../../src/sim/trace/podsOfRun.ts';
import { TraceReader } from '../../src/sim/trace/reader.ts';
import type { FinishedRun } from '../../src/sim/trace/run.ts';
import { storedKeys } from '../../src/sim/trace/storedObjects.ts';
import { randomCluster } from '../support/randomCluster.ts';
import { randomScenario } from '../support/randomScenario.ts';
import { randomWorkloads } from '../support/randomWorkloads.ts';
import { SEED } from './describeInvariants.ts';

/** Words of a program that has lost its thread. */
const NO_WORDS = /undefined|NaN|\[object|\bnull\b/;
/** So many events of a run are told. */
const TOLD = 100;

function finish(scenario: Scenario): FinishedRun {
  const run = startRun(scenario);
  while (run.advance(1_000_000));
  return finishedRun(scenario, new TraceReader(run.trace()));
}

/** Everything that is said of a run, at some of its instants. */
function sentences(run: FinishedRun): readonly string[] {
  const { reader, scenario } = run;
  const { horizon } = reader.data;
  const said: string[] = [];
  const events = reader.events();
  const every = Math.max(1, Math.floor(events.length / TOLD));
  for (const [i, event] of events.entries()) if (i % every === 0) said.push(eventEn.event(event), eventZh.event(event));
  for (const at of [0, 0.1, 0.5, 0.9].map((share) => Math.floor(horizon * share) as Micros)) {
    for (const { name } of scenario.cluster?.proxies ?? [])
      said.push(...ruleLines(reader, name, at).map(({ frontend, verdict }) => `${frontend} ${verdict}`));
    for (const pod of [...podsOf(scenario).values()].slice(0, 2)) {
      const state = stateAt(run, pod, at);
      const answer = answerAt(run, state);
      for (const words of [en, zh])
        said.push(words.verdict(answer, pod.name), words.because(answer), words.backend(answer));
      said.push(...whoSees(run, state).map(({ kind, value }) => `${kind} ${value}`));
      for (const service of storedKeys(reader, 'services').slice(0, 1)) {
        const why = whyAt(run, { pod, service, node: null, at });
        for (const words of [pathEn, pathZh])
          said.push(words.answer(why), ...why.links.map((link) => words.link(link)));
      }
    }
  }
  for (const lost of lostRequests(run).slice(0, 20)) said.push(pathEn.lost(lost, 'web'), pathZh.lost(lost, 'web'));
  return said;
}

describe('whatever happens, there are words for it', () => {
  it.each([
    ['kubelets', randomScenario],
    ['a control plane', randomCluster],
    ['workloads', randomWorkloads],
  ])('%s', (_name, scenarios) => {
    fc.assert(
      fc.property(scenarios, (scenario) => {
        const said = sentences(finish(scenario));
        expect(said.length).toBeGreaterThan(0);
        expect(said.filter((sentence) => NO_WORDS.test(sentence))).toEqual([]);
      }),
      { numRuns: 8, seed: SEED },
    );
  });
});

describe('at rest nothing is said to be on its way', () => {
  it('a ready endpoint that the rules of a node lack is left out for a reason', () => {
    fc.assert(
      fc.property(randomCluster, (scenario) => {
        const run = finish(scenario);
        const at = (run.reader.data.horizon - 1) as Micros;
        const ready = [...podsOf(scenario).values()].flatMap((pod) =>
          backendAt(run, pod, at).filter(({ slice }) => slice.value === 'ready'),
        );
        const waiting = ready.flatMap(({ service, proxies }) =>
          proxies.filter(({ value, leftOut }) => !value && leftOut === null).map(({ proxy }) => [service, proxy]),
        );
        expect(waiting).toEqual([]);
      }),
      { numRuns: 60, seed: SEED },
    );
  });
});
