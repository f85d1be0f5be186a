import { expect, it } from 'vitest';
import { container, pod, scenario } from '../../../test/support/scenario.ts';
import { micros } from '../../base/units.ts';
import type { Action } from '../../sim/scenario.ts';
import { simulate } from '../../sim/simulate.ts';
import { TraceReader } from '../../sim/trace/reader.ts';
import { actionFlags } from './actionFlags.ts';

const pods = ['web-0', 'web-1'].map((name) => pod([container({})], { identity: `default/${name}`, name, uid: name }));
const flagsOf = (actions: readonly Action[]) =>
  actionFlags(new TraceReader(simulate(scenario(pods, 30, { actions })))).map(
    ({ at, action, refs }) => `${at / 1e6} ${action} ×${refs.length}`,
  );
const label = (at: number, name: string): Action => ({
  at: micros(at * 1e6),
  do: 'labelPod',
  pod: `default/${name}`,
  labels: {},
});

it.each<[name: string, actions: readonly Action[], flags: readonly string[]]>([
  ['the creation of Pods is no flag', [], []],
  ['one action on several Pods is one flag', [label(5, 'web-0'), label(5, 'web-1')], ['5 labelPod ×2']],
  ['flags are in order of time', [label(7, 'web-0'), label(5, 'web-1')], ['5 labelPod ×1', '7 labelPod ×1']],
])('%s', (_name, actions, flags) => {
  expect(flagsOf(actions)).toEqual(flags);
});
