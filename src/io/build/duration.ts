import { PROBE_KINDS } from '../../sim/scenario.ts';
import type { Workload } from '../manifest/workload.ts';
import type { App, Behaviour } from '../schema/app.ts';
import type { Settings } from '../settings.ts';

const CHOICES_S = [60, 120, 300, 600] as const;
const MARGIN_S = 15;

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

/**
 * How long to simulate when nobody says so, in s: the first of 1, 2, 5 and 10 minutes in which the slowest probe can
 * begin, change its mind once after the last change of the app, and leave a margin. Rough on purpose, so that a slider
 * rarely changes it.
 */
export function defaultDuration(workloads: readonly Workload[], apps: readonly App[], settings: Settings): number {
  const number = (path: string): number => settings.get(path)?.value ?? 0;
  let needed = 0;
  for (const { path, containers } of workloads) {
    for (const { name, probes } of containers) {
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
  const changes = apps.flatMap((app) => [app, ...(app.runs ?? [])]).map(lastChange);
  const total = needed + Math.max(0, ...changes) + MARGIN_S;
  return CHOICES_S.find((choice) => choice >= total) ?? 600;
}
