import { PROBE_KINDS } from '../../sim/scenario.ts';
import type { ParsedText } from '../manifest/parse.ts';
import { allContainers } from '../manifest/workload.ts';
import type { ActionEntry } from '../schema/action.ts';
import type { Behaviour } from '../schema/app.ts';
import { ruleOf, type Settings } from '../settings.ts';

const CHOICES_S = [60, 120, 300, 600] as const;
const MARGIN_S = 15;
const LONGEST_S = ruleOf('duration')?.max ?? 600;

/** The last instant at which the scenario says that an app changes, s since a start. */
function lastChange(behaviour: Behaviour): number {
  const times = [
    behaviour.readyAfter ?? 0,
    ...PROBE_KINDS.map((kind) => behaviour[kind]?.readyAfter ?? 0),
    ...(behaviour.outages ?? []).flatMap(({ from, to }) => [from, to ?? from]),
    behaviour.exit?.at ?? 0,
  ];
  return Math.max(...times);
}

/** When an action and what it sets off are over, s. */
const endOf = ({ at, do: what, down, graceSeconds }: ActionEntry, longestGrace: number): number =>
  at + (what === 'deletePod' || what === 'evictPod' ? (graceSeconds ?? longestGrace) : (down ?? 0));

/**
 * How long to simulate when nobody says so, in s: the first of 1, 2, 5 and 10 minutes in which the slowest probe can
 * begin, change its mind once after the last change of the app or the last action, and leave a margin. Rough on purpose, so that a slider
 * rarely changes it.
 */
export function defaultDuration({ workloads, scenario }: ParsedText, settings: Settings): number {
  const number = (path: string): number => settings.get(path)?.value ?? 0;
  let needed = 0;
  let longestGrace = 0;
  for (const workload of workloads) {
    const { path } = workload;
    longestGrace = Math.max(longestGrace, number(`${path}/terminationGracePeriodSeconds`));
    needed = Math.max(needed, number(`${path}/activeDeadlineSeconds`));
    for (const { name, probes } of allContainers(workload)) {
      const app = `${path}/${name}`;
      for (const kind of PROBE_KINDS.filter((probe) => probes[probe])) {
        const probe = `${app}/${kind}`;
        const runs = Math.max(
          number(`${probe}/successThreshold`),
          kind === 'liveness' ? number(`${probe}/failureThreshold`) : 1,
        );
        needed = Math.max(
          needed,
          number(`${probe}/initialDelaySeconds`) + number(`${probe}/periodSeconds`) * (runs + 1),
        );
      }
      needed = Math.max(needed, number(`${app}/readyAfter`));
    }
  }
  const changes = (scenario?.apps ?? []).flatMap((app) => [app, ...(app.runs ?? [])]).map(lastChange);
  const ends = (scenario?.actions ?? []).map((action) => endOf(action, longestGrace));
  const lastEnd = Math.max(0, ...ends);
  const total = needed + Math.max(0, ...changes, lastEnd) + MARGIN_S;
  const choice = CHOICES_S.find((candidate) => candidate >= total);
  // Beyond the longest choice only an action makes the run longer: nobody would see it otherwise.
  return choice ?? Math.min(Math.max(600, Math.ceil((lastEnd + MARGIN_S) / 60) * 60), LONGEST_S);
}
