/** What holds of DaemonSets (N-022). */
import type { Invariant } from '../invariant.ts';
import { place } from '../observation.ts';
import {
  hasEnded,
  isGoing,
  isOwnedBy,
  isReady,
  nodeOf,
  type SetJson,
  type Stored,
  type WorkloadObservation,
  type WorkloadPod,
} from '../workloadObservation.ts';

const NODES = 3;

const podsOf = (stored: Stored): readonly WorkloadPod[] =>
  [...stored.of<WorkloadPod>('pods').values()].filter((pod) => isOwnedBy(pod, 'DaemonSet'));
const rollingOf = (stored: Stored): SetJson['spec']['updateStrategy']['rollingUpdate'] | undefined =>
  stored.of<SetJson>('daemonsets').get('agent')?.spec.updateStrategy.rollingUpdate;
const count = (limit: number | string): number =>
  typeof limit === 'number' ? limit : Math.ceil((Number.parseInt(limit, 10) * NODES) / 100);

export const DAEMON_SET_INVARIANTS: readonly Invariant<WorkloadObservation>[] = [
  {
    name: 'a node has one living Pod of a DaemonSet, two only with surge (N-022)',
    check: (run, find) => {
      run.walk(({ event, resource }, stored) => {
        const rolling = rollingOf(stored);
        if (resource !== 'pods' || !rolling) return;
        const most = rolling.maxSurge === 0 ? 1 : 2;
        const living = podsOf(stored).filter((pod) => !isGoing(pod) && !hasEnded(pod));
        for (const pod of living) {
          const here = living.filter((one) => nodeOf(one) === nodeOf(pod));
          find.that(here.length <= most, () => `${place(event)}: ${here.map(({ metadata }) => metadata.name)}`);
        }
      });
    },
  },
  {
    name: 'with surge no more nodes have two living Pods than maxSurge allows (N-022)',
    check: (run, find) => {
      run.walk(({ event, resource }, stored) => {
        const rolling = rollingOf(stored);
        if (resource !== 'pods' || !rolling || rolling.maxSurge === 0) return;
        const living = podsOf(stored).filter((pod) => !isGoing(pod) && !hasEnded(pod));
        const nodes = living.map(nodeOf);
        const doubled = new Set(nodes.filter((node, i) => nodes.indexOf(node) !== i));
        const sound = [...doubled].filter((node) => living.filter((pod) => nodeOf(pod) === node).every(isReady));
        const surging = doubled.size - sound.length;
        find.that(surging <= count(rolling.maxSurge), () => `${place(event)}: ${[...doubled]}`);
      });
    },
  },
  {
    name: 'without surge an update takes a ready Pod only while fewer than maxUnavailable nodes are without (N-022)',
    check: (run, find) => {
      run.walk(({ event, resource, actor, verb, before, now }, stored) => {
        const rolling = rollingOf(stored);
        if (resource !== 'pods' || actor !== 'daemonset' || verb !== 'delete' || !now || !rolling) return;
        const pod = before as WorkloadPod;
        if (rolling.maxSurge !== 0 || !isReady(pod) || isGoing(pod)) return;
        const served = new Set(
          podsOf(stored)
            .filter((one) => isReady(one) && !isGoing(one))
            .map(nodeOf),
        );
        const missing = NODES - 1 - served.size;
        find.that(missing < count(rolling.maxUnavailable), () => `${place(event)}: ${missing} without beside it`);
      });
    },
  },
  {
    name: 'once nothing has happened for a while the status says what is there (N-022)',
    check: (run, find) => {
      let lastAt = 0;
      let ready = 0;
      let status: SetJson['status'] = {};
      run.walk(({ event, resource }, stored) => {
        if (resource === 'pods' || resource === 'daemonsets') lastAt = event.at;
        ready = new Set(podsOf(stored).filter(isReady).map(nodeOf)).size;
        status = stored.of<SetJson>('daemonsets').get('agent')?.status ?? {};
      });
      if (run.horizon - lastAt < 10_000_000) return;
      find.that(Number(status.numberReady) <= ready, () => `${status.numberReady} ready, and there are ${ready}`);
    },
  },
];
