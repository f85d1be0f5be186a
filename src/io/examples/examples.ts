import { CRASH_LOOP } from './crashLoop.ts';
import { GRACEFUL_DELETION } from './gracefulDeletion.ts';
import { RUNNING_NOT_READY } from './runningNotReady.ts';
import { SIDECAR_GATE } from './sidecarGate.ts';
import { STARTUP_THEN_READINESS } from './startupThenReadiness.ts';

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
];
