import { HOOK_NAMES, type Hook, type HookName } from '../../sim/scenario.ts';
import type { ContainerManifest } from '../schema/pod.ts';
import { HOOK_ANSWER, HOOK_SLEEP } from '../settings.ts';
import { readPort, unknownPortError } from './port.ts';
import { type Report, type Spot, within } from './report.ts';
import type { SettingsBuilder } from './settingsBuilder.ts';

/** A lifecycle hook without its numbers, which are in the settings of its container. */
export interface ManifestHook {
  readonly type: Hook['type'];
  /** How long an exec or httpGet hook takes if the scenario says nothing, s: that of a command that only sleeps, else 0. */
  readonly seconds: number;
  /** Why the hook fails at once, whatever the app does; null when it does not. */
  readonly broken: string | null;
}
export type ManifestHooks = Readonly<Record<HookName, ManifestHook | null>>;

/** The hooks of a container. `spot` is that of the container, `path` that of its settings. */
export function readHooks(
  container: ContainerManifest,
  spot: Spot,
  path: string,
  settings: SettingsBuilder,
  report: Report,
): ManifestHooks {
  const [postStart, preStop] = HOOK_NAMES.map((name) =>
    readHook(name, container, within(spot, 'lifecycle', name), path, settings, report),
  );
  return { postStart: postStart ?? null, preStop: preStop ?? null };
}

function readHook(
  name: HookName,
  container: ContainerManifest,
  spot: Spot,
  path: string,
  settings: SettingsBuilder,
  report: Report,
): ManifestHook | null {
  const hook = container.lifecycle?.[name];
  if (!hook) return null;
  const { sleep, exec, httpGet } = hook;
  if (sleep) {
    settings.add(
      `${path}/${name}.sleep.seconds`,
      HOOK_SLEEP,
      sleep.seconds,
      'manifest',
      within(spot, 'sleep', 'seconds'),
    );
    return { type: 'sleep', seconds: 0, broken: null };
  }
  if (!exec && !httpGet) {
    const why = 'the kubelet cannot run a tcpSocket hook';
    warn(name, why, 'Use exec, httpGet or sleep.', within(spot, 'tcpSocket'), report);
    return { type: 'httpGet', seconds: 0, broken: 'invalid handler' };
  }
  const seconds = exec ? sleepOf(exec.command) : null;
  const at = within(spot, 'exec', 'command');
  settings.add(`${path}/${name}.answersIn`, HOOK_ANSWER, seconds ?? undefined, 'manifest', at);
  const port = httpGet ? readPort(httpGet.port, container).unknownPort : null;
  if (port !== null) {
    const remedy = `Add a port with name: ${port} to the container, or write its number.`;
    warn(name, `no port of the container is called ${port}`, remedy, within(spot, 'httpGet', 'port'), report);
  }
  return {
    type: httpGet ? 'httpGet' : 'exec',
    seconds: seconds ?? 0,
    broken: port === null ? null : unknownPortError(port),
  };
}

const CONSEQUENCE: Readonly<Record<HookName, string>> = {
  postStart: 'the container is killed each time it has started',
  preStop: 'SIGTERM is sent at once',
};

/** Says that a hook can never succeed (pkg/kubelet/lifecycle/handlers.go, Run and runHTTPHandler). */
function warn(name: HookName, why: string, remedy: string, spot: Spot, report: Report): void {
  const message = `${why}: the ${name} hook always fails, so that ${CONSEQUENCE[name]}`;
  report.add('warning', spot, { message, remedy });
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
