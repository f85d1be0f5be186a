import { describe, expect, it } from 'vitest';
import { container, pod } from '../../../../test/support/scenario.ts';
import { type ContainerState, type ContainerStatus, EMPTY_STATUS, type PodStatus } from '../../api/podStatus.ts';
import type { ContainerInput } from '../../scenario.ts';
import { withLostContainers } from './lostContainers.ts';

const WAITING: ContainerState = { is: 'waiting', reason: 'PodInitializing', message: '' };
const RUNNING: ContainerState = { is: 'running', startedAt: 7 };
const ended = (exitCode: number) =>
  ({ is: 'terminated', exitCode, reason: 'Error', startedAt: 7, finishedAt: 8 }) as const;

const told = (name: string, state: ContainerState, over: Partial<ContainerStatus> = {}): ContainerStatus => ({
  ...{ name, image: 'i', containerID: '', ready: false, started: false, restartCount: 0, state, lastState: null },
  ...over,
});
const statusOf = (init: readonly ContainerStatus[], regular: readonly ContainerStatus[]): PodStatus => ({
  ...EMPTY_STATUS,
  initContainerStatuses: init,
  containerStatuses: regular,
});

const app = container({});
const init = (name = 'init'): ContainerInput => container({}, undefined, name);
const sidecar: ContainerInput = { ...init('proxy'), isSidecar: true };

/** Names of the containers that are said to have been lost. */
function lostOf(inits: readonly ContainerInput[], stored: PodStatus, cached: PodStatus): readonly string[] {
  const { initContainerStatuses, containerStatuses } = withLostContainers(
    pod([app], { initContainers: inits }),
    stored,
    cached,
  );
  return [...initContainerStatuses, ...containerStatuses].flatMap(({ name, state }) =>
    state.is === 'terminated' && state.reason === 'ContainerStatusUnknown' ? [`${name} ${state.exitCode}`] : [],
  );
}

describe('the last status of a Pod', () => {
  it.each<
    [row: string, inits: readonly ContainerInput[], stored: PodStatus, cached: PodStatus, lost: readonly string[]]
  >([
    [
      'says of a container that never came to start that it has failed',
      [],
      EMPTY_STATUS,
      statusOf([], [told('app', WAITING)]),
      ['app 137'],
    ],
    ['keeps an end that is known', [], EMPTY_STATUS, statusOf([], [told('app', ended(0))]), []],
    [
      'says of one in the crash-loop back-off that it has failed, though its last end is known',
      [],
      EMPTY_STATUS,
      statusOf([], [told('app', WAITING, { lastState: ended(1) })]),
      ['app 137'],
    ],
    [
      'leaves those alone that wait for an init container which failed',
      [init()],
      statusOf([told('init', ended(1))], [told('app', WAITING)]),
      statusOf([told('init', ended(1))], [told('app', WAITING)]),
      [],
    ],
    [
      'says of them that they have failed once the last init container had succeeded in the API',
      [init()],
      statusOf([told('init', ended(0))], [told('app', WAITING)]),
      statusOf([told('init', ended(0))], [told('app', WAITING)]),
      ['app 137'],
    ],
    [
      'and once the last sidecar had started in the API',
      [sidecar],
      statusOf([told('proxy', RUNNING, { started: true })], [told('app', WAITING)]),
      statusOf([told('proxy', ended(143))], [told('app', WAITING)]),
      ['app 137'],
    ],
    [
      'but not while that sidecar only ran',
      [sidecar],
      statusOf([told('proxy', RUNNING)], [told('app', WAITING)]),
      statusOf([told('proxy', ended(143))], [told('app', WAITING)]),
      [],
    ],
    [
      'says of the first init container that it has failed when none has begun',
      [init('one'), init('two')],
      EMPTY_STATUS,
      statusOf([told('one', WAITING), told('two', WAITING)], [told('app', WAITING)]),
      ['one 137'],
    ],
    [
      'says of init containers up to the last that began that they have failed',
      [init('one'), init('two'), init('three')],
      EMPTY_STATUS,
      statusOf(
        [told('one', ended(0)), told('two', WAITING, { lastState: ended(1) }), told('three', WAITING)],
        [told('app', WAITING)],
      ),
      ['two 137'],
    ],
  ])('%s (K-176)', (_row, inits, stored, cached, lost) => {
    expect(lostOf(inits, stored, cached)).toEqual(lost);
  });
});
