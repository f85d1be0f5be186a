import type { Micros } from '../base/units.ts';
import { podsOf } from '../explain/podsOf.ts';
import type { PodInput, Scenario } from '../sim/scenario.ts';
import { apiPodKey } from '../sim/trace/podObject.ts';
import { finishedRun } from '../sim/trace/podsOfRun.ts';
import { TraceReader } from '../sim/trace/reader.ts';
import type { FinishedRun } from '../sim/trace/run.ts';
import { storedKeys } from '../sim/trace/storedObjects.ts';
import { CommandError, EXIT } from './exitCodes.ts';
import { runToEnd } from './play.ts';
import { readInput } from './readInput.ts';
import { changed } from './scenarioOptions.ts';
import type { Terminal } from './terminal.ts';

/** What the one FILE of a command that asks questions of a finished run comes to. */
export function scenarioOf(
  command: string,
  files: readonly string[],
  options: Parameters<typeof changed>[2],
  terminal: Terminal,
): Scenario {
  const [file] = files;
  if (file === undefined || files.length > 1)
    throw new CommandError(EXIT.usage, `${command}: name one file, or - for standard input`);
  return changed(command, readInput(file, !options['no-pins'], terminal).scenario, options);
}

/** A run to its end. */
export const simulated = (scenario: Scenario): FinishedRun =>
  finishedRun(scenario, new TraceReader(runToEnd(scenario).trace()));

/**
 * The Pods called so: by name, `namespace/name` or identity; without a name the only one. Several when a StatefulSet gave
 * the name anew.
 */
export function podsNamed(
  command: string,
  { scenario }: FinishedRun,
  name: string | undefined,
): readonly [PodInput, ...PodInput[]] {
  const pods = [...podsOf(scenario).values()];
  const called = ({ namespace, name }: PodInput): string => `${namespace}/${name}`;
  const found = pods.filter((pod) => name === undefined || [pod.name, called(pod), pod.identity].includes(name));
  const foundNames = [...new Set(found.map(called))];
  const names = [...new Set(pods.map(name?.includes('/') || foundNames.length > 1 ? called : (pod) => pod.name))];
  const one = onlyOne(command, '--pod', name, foundNames, names);
  return found.filter((pod) => called(pod) === one) as [PodInput, ...PodInput[]];
}

/** Of the Pods called so the last that was there at `at`, else the first to come. */
export function podNamed(command: string, run: FinishedRun, name: string | undefined, at: Micros): PodInput {
  const pods = podsNamed(command, run, name);
  const since = ({ identity }: PodInput): number =>
    run.reader.versionsOf(apiPodKey(identity))[0]?.since ?? Number.POSITIVE_INFINITY;
  const inOrder = pods.toSorted((a, b) => since(a) - since(b));
  return inOrder.findLast((pod) => since(pod) <= at) ?? inOrder[0] ?? pods[0];
}

/** Key of the Service called so: its name, or `namespace/name`. Without a name the only one. */
export function serviceNamed(command: string, { reader }: FinishedRun, name: string | undefined): string {
  const services = storedKeys(reader, 'services');
  if (name === undefined && services.length === 0) return '';
  const found = services.filter((key) => name === undefined || key === name || key.endsWith(`/${name}`));
  return onlyOne(command, '--service', name, found, services);
}

function onlyOne<T>(
  command: string,
  option: string,
  name: string | undefined,
  found: readonly T[],
  names: readonly string[],
): T {
  const [one, another] = found;
  const list = names.length === 0 ? 'there is none' : `there are ${names.join(', ')}`;
  if (one === undefined)
    throw new CommandError(
      EXIT.usage,
      `${command}: ${name === undefined ? `nothing for ${option}` : `${option} ${name} is not in the scenario`}; ${list}`,
    );
  if (another !== undefined) {
    const asked = name === undefined ? option : `${option} ${name}`;
    throw new CommandError(EXIT.usage, `${command}: ${asked} names more than one; ${list}`);
  }
  return one;
}
