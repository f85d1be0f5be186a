import { expect, it } from 'vitest';
import { podOrderPins } from './podOrder.ts';
import type { WorkloadsRecording } from './recording.ts';

/** As far as it is read here. */
const recording = (draws: object): WorkloadsRecording =>
  ({
    initial: { pods: { a: { node: 'n' }, b: { node: 'm' }, c: { node: 'n' } } },
    events: [
      { t: 5, lane: 'controller', type: 'markPodsNotReady', key: 'n' },
      { t: 7, lane: 'controller', type: 'markPodsNotReady', key: 'm' },
    ],
    scenario: { draws: { podMarkOrder: [], podGCOrder: [], ...draws } },
  }) as unknown as WorkloadsRecording;

it('draws the order of marks for each node that has more than one, when it begins', () => {
  expect(podOrderPins(recording({ podMarkOrder: [{ t: 7, pods: ['b', 'c', 'a'] }] }))).toEqual({
    'nodelifecycle/podMarks/n': [{ value: 'c, a', at: 5 }],
  });
});

it('draws the order of a pass of garbage collection', () => {
  expect(podOrderPins(recording({ podGCOrder: [{ t: 9, pods: ['b', 'a'] }] }))).toEqual({
    'podgc/order': [{ value: 'b, a', at: null }],
  });
});
