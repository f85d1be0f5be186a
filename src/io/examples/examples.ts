import { ALL_FAIL } from './allFail.ts';
import { CRASH_LOOP } from './crashLoop.ts';
import { ENDPOINTS_1001 } from './endpoints1001.ts';
import { GRACEFUL_DELETION } from './gracefulDeletion.ts';
import { HIDDEN_BY_PERIOD } from './hiddenByPeriod.ts';
import { LIVENESS_ASKS_DATABASE } from './livenessAsksDatabase.ts';
import { NEIGHBOUR_PRESSURE } from './neighbourPressure.ts';
import { NODE_DIES } from './nodeDies.ts';
import { PRE_STOP_BEFORE_RULES, ROLLOUT_DROPS, ROLLOUT_DROPS_NONE } from './rollouts.ts';
import { RUNNING_NOT_READY } from './runningNotReady.ts';
import { SIDECAR_GATE } from './sidecarGate.ts';
import { STARTUP_THEN_READINESS } from './startupThenReadiness.ts';
import { TINY_FLAP } from './tinyFlap.ts';
import { UNREADY_WHILE_DRAINING } from './unreadyWhileDraining.ts';

/** A built-in scenario; what it shows is among the strings of the page. `id` stands in links: it never changes, and `text` only with a new version of the links. */
export interface Example {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export const EXAMPLES: readonly Example[] = [
  {
    id: 'running-not-ready',
    title: 'Running but not Ready',
    text: RUNNING_NOT_READY,
  },
  {
    id: 'startup-then-readiness',
    title: 'Startup, then readiness at once',
    text: STARTUP_THEN_READINESS,
  },
  {
    id: 'crash-loop',
    title: 'Liveness kills a slow starter',
    text: CRASH_LOOP,
  },
  {
    id: 'short-pre-stop',
    title: 'A preStop that is too short',
    text: GRACEFUL_DELETION,
  },
  {
    id: 'sidecar-gates-by-startup',
    title: 'A sidecar gates by startup only',
    text: SIDECAR_GATE,
  },
  {
    id: 'hidden-by-period',
    title: 'A long period hides a healthy Pod',
    text: HIDDEN_BY_PERIOD,
  },
  {
    id: 'all-fail',
    title: 'All Pods fail readiness',
    text: ALL_FAIL,
  },
  {
    id: 'endpoints-1001',
    title: 'The 1,001st endpoint',
    text: ENDPOINTS_1001,
  },
  {
    id: 'tiny-flap',
    title: 'A flap of half a millisecond',
    text: TINY_FLAP,
  },
  {
    id: 'neighbour-pressure',
    title: 'A neighbour holds the rules back',
    text: NEIGHBOUR_PRESSURE,
  },
  {
    id: 'rollout-drops-requests',
    title: 'A rollout that drops requests',
    text: ROLLOUT_DROPS,
  },
  {
    id: 'rollout-drops-none',
    title: 'A rollout that drops none',
    text: ROLLOUT_DROPS_NONE,
  },
  {
    id: 'pre-stop-before-rules',
    title: 'A preStop shorter than the rules',
    text: PRE_STOP_BEFORE_RULES,
  },
  {
    id: 'unready-while-draining',
    title: 'A Pod fails readiness while it drains',
    text: UNREADY_WHILE_DRAINING,
  },
  {
    id: 'node-dies',
    title: 'A node dies',
    text: NODE_DIES,
  },
  {
    id: 'liveness-asks-database',
    title: 'A database blip restarts every Pod',
    text: LIVENESS_ASKS_DATABASE,
  },
];
