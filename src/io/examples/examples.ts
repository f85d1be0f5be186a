import { ALL_FAIL } from './allFail.ts';
import { CRASH_LOOP } from './crashLoop.ts';
import { ENDPOINTS_1001 } from './endpoints1001.ts';
import { GRACEFUL_DELETION } from './gracefulDeletion.ts';
import { HIDDEN_BY_PERIOD } from './hiddenByPeriod.ts';
import { NEIGHBOUR_PRESSURE } from './neighbourPressure.ts';
import { NODE_DIES } from './nodeDies.ts';
import { PRE_STOP_BEFORE_RULES, ROLLOUT_DROPS, ROLLOUT_DROPS_NONE } from './rollouts.ts';
import { RUNNING_NOT_READY } from './runningNotReady.ts';
import { SIDECAR_GATE } from './sidecarGate.ts';
import { STARTUP_THEN_READINESS } from './startupThenReadiness.ts';
import { TINY_FLAP } from './tinyFlap.ts';
import { UNREADY_WHILE_DRAINING } from './unreadyWhileDraining.ts';

/** A built-in scenario. `id` stands in links: it never changes, and `text` only with a new version of the links. */
export interface Example {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly text: string;
}

export const EXAMPLES: readonly Example[] = [
  {
    id: 'running-not-ready',
    title: 'Running but not Ready',
    description:
      'The app answers after 12 s, yet the Pod waits: its readiness probe runs every 30 s, and nothing wakes it earlier.',
    text: RUNNING_NOT_READY,
  },
  {
    id: 'startup-then-readiness',
    title: 'Startup, then readiness at once',
    description:
      'When the startup probe succeeds, readiness runs within milliseconds. Liveness still waits for its own tick.',
    text: STARTUP_THEN_READINESS,
  },
  {
    id: 'crash-loop',
    title: 'Liveness kills a slow starter',
    description:
      'The app needs 40 s to start, liveness gives it 30 s: it is killed again and again, and each wait for a restart is longer.',
    text: CRASH_LOOP,
  },
  {
    id: 'short-pre-stop',
    title: 'A preStop that is too short',
    description:
      'A deletion gives the hook 3 s, then SIGTERM makes readiness fail. The API shows Ready until the second failure, seconds after the signal.',
    text: GRACEFUL_DELETION,
  },
  {
    id: 'sidecar-gates-by-startup',
    title: 'A sidecar gates by startup only',
    description:
      "The app starts when the proxy's startup probe succeeds at 3 s. The Pod is Ready when the proxy's readiness does, at 20 s.",
    text: SIDECAR_GATE,
  },
  {
    id: 'hidden-by-period',
    title: 'A long period hides a healthy Pod',
    description:
      'Three seconds of 503 meet a probe. The app is well again at once, but the Pod stays out of the pool until the next probe, 30 s later.',
    text: HIDDEN_BY_PERIOD,
  },
  {
    id: 'all-fail',
    title: 'All Pods fail readiness',
    description:
      'Readiness asks a database that is away for 30 s. One Pod after the other leaves the pool, and then the rules refuse every connection, though each app could still serve.',
    text: ALL_FAIL,
  },
  {
    id: 'endpoints-1001',
    title: 'The 1,001st endpoint',
    description:
      'With 1,001 ready Pods the Endpoints object is cut to 1,000 addresses. Eleven slices list them all, and kube-proxy reads only slices.',
    text: ENDPOINTS_1001,
  },
  {
    id: 'tiny-flap',
    title: 'A flap of half a millisecond',
    description:
      'The second change comes before the controller has seen its own first write. It calls its cache out of date and tries again a second later, while Endpoints loses only milliseconds.',
    text: TINY_FLAP,
  },
  {
    id: 'neighbour-pressure',
    title: 'A neighbour holds the rules back',
    description:
      'kube-proxy has just written a change of another Service and rests for minSyncPeriod, here 10 s. The new Pod of web is in the slice, and gets no connection until then.',
    text: NEIGHBOUR_PRESSURE,
  },
  {
    id: 'rollout-drops-requests',
    title: 'A rollout that drops requests',
    description:
      'Each old Pod stops listening at SIGTERM, and stays in the rules until kube-proxy may write again: up to a second of refused connections and time-outs a Pod.',
    text: ROLLOUT_DROPS,
  },
  {
    id: 'rollout-drops-none',
    title: 'A rollout that drops none',
    description:
      'The same rollout with a preStop sleep of 5 s: the old Pod serves on until the rules of every node are without it.',
    text: ROLLOUT_DROPS_NONE,
  },
  {
    id: 'pre-stop-before-rules',
    title: 'A preStop shorter than the rules',
    description:
      'The same hook of 5 s where kube-proxy rests for 10 s between two writes. The rules still name Pods that have ended.',
    text: PRE_STOP_BEFORE_RULES,
  },
  {
    id: 'unready-while-draining',
    title: 'A Pod fails readiness while it drains',
    description:
      'The only Pod is deleted. While it ends, kube-proxy falls back to it, until its readiness probe fails: from then on connections are refused, though the app still serves.',
    text: UNREADY_WHILE_DRAINING,
  },
  {
    id: 'node-dies',
    title: 'A node dies',
    description:
      'For most of a minute nobody knows: one request in three goes to a Pod that is gone. Its replacement comes five minutes after that.',
    text: NODE_DIES,
  },
];
