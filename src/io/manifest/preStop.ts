import type { Hook } from '../../sim/scenario.ts';
import type { ContainerManifest } from '../schema/pod.ts';
import { PRE_STOP_ANSWER, PRE_STOP_SLEEP } from '../settings.ts';
import { readPort } from './port.ts';
import { type Spot, within } from './report.ts';
import type { SettingsBuilder } from './settingsBuilder.ts';

/** A preStop hook without its numbers, which are in the settings of its container. */
export interface PreStop {
  readonly type: Hook['type'];
  /** How long an exec or httpGet hook takes if the scenario says nothing, s: that of a command that only sleeps, else 0. */
  readonly seconds: number;
  /** A port name that no port of the container has: the hook fails at once (K-142). */
  readonly unknownPort: string | null;
}

/** A container's preStop hook. A tcpSocket hook is none: the kubelet does not know how to run it (notModelled.ts names it). */
export function readPreStop(
  container: ContainerManifest,
  spot: Spot,
  path: string,
  settings: SettingsBuilder,
): PreStop | null {
  const hook = container.lifecycle?.preStop;
  if (!hook) return null;
  const { sleep, exec, httpGet } = hook;
  if (sleep) {
    const at = within(spot, 'sleep', 'seconds');
    settings.add(`${path}/preStop.sleep.seconds`, PRE_STOP_SLEEP, sleep.seconds, 'manifest', at);
    return { type: 'sleep', seconds: 0, unknownPort: null };
  }
  if (!exec && !httpGet) return null;
  const seconds = exec ? sleepOf(exec.command) : null;
  settings.add(
    `${path}/preStop.answersIn`,
    PRE_STOP_ANSWER,
    seconds ?? undefined,
    'manifest',
    within(spot, 'exec', 'command'),
  );
  return {
    type: httpGet ? 'httpGet' : 'exec',
    seconds: seconds ?? 0,
    unknownPort: httpGet ? readPort(httpGet.port, container).unknownPort : null,
  };
}

const SLEEP = /^(?:\/(?:usr\/)?bin\/)?sleep\s+(\d+(?:\.\d+)?)([smh]?)$/;
const SHELL = /^(?:\/(?:usr\/)?bin\/)?(?:ba|da|a)?sh$/;
const UNIT_S: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600 };

/**
 * Seconds of a command that only sleeps, alone or in a shell: the hook that most manifests have. Null for all others:
 * nothing of a manifest is ever run.
 */
export function sleepOf(command: readonly string[]): number | null {
  const [shell = '', flag, script = ''] = command;
  const isScript = command.length === 3 && SHELL.test(shell) && flag === '-c';
  const line = isScript ? script.trim() : command.length === 2 ? command.join(' ') : '';
  const [, amount, unit = ''] = SLEEP.exec(line) ?? [];
  return amount === undefined ? null : Number(amount) * (UNIT_S[unit] ?? 1);
}
