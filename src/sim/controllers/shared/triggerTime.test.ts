import { describe, expect, it } from 'vitest';
import { apiPod, readyCondition, runningStatus, scriptedPod, service } from '../../../../test/support/cluster.ts';
import type { ApiPod } from '../../api/apiPod.ts';
import { ANNOTATION } from '../../api/objects.ts';
import { TriggerTimeTracker, withTriggerTime } from './triggerTime.ts';

const CREATED = 1000;
const web = service('web', {}, { creationTimestamp: CREATED });
/** Pods by name, with the time of their last Ready transition; null without the condition. */
const pods = (times: Readonly<Record<string, number | null>>): readonly ApiPod[] =>
  Object.entries(times).map(([name, time]) =>
    apiPod(
      scriptedPod(name, {}, runningStatus([], true, { conditions: time === null ? [] : [readyCondition(true, time)] })),
    ),
  );

describe('the trigger time (C-150)', () => {
  it.each<[what: string, syncs: readonly Readonly<Record<string, number | null>>[], expected: number | null]>([
    ['of a first sync is the creation of the Service', [{ a: 2000 }], CREATED],
    ['of a second sync without news is none', [{ a: 2000 }, { a: 2000 }], null],
    ['is a newer Ready transition', [{ a: 2000 }, { a: 2005 }], 2005],
    [
      'is the earliest of several newer ones',
      [
        { a: 2000, b: 2000 },
        { a: 2009, b: 2007 },
      ],
      2007,
    ],
    ['is that of a Pod that was not there before', [{ a: 2000 }, { a: 2000, b: 1500 }], 1500],
    ['ignores a Pod that goes', [{ a: 2000, b: 2001 }, { a: 2000 }], null],
    ['ignores a clock that goes back', [{ a: 2000 }, { a: 1990 }], null],
    ['ignores a Pod without the condition', [{ a: 2000 }, { a: 2000, b: null }], null],
    ['compares with the sync before, not with the newest ever', [{ a: 2000 }, {}, { a: 2000 }], 2000],
    ['ignores a stamp that is not set', [{}, { a: 0 }], null],
  ])('%s', (_what, syncs, expected) => {
    const tracker = new TriggerTimeTracker();
    expect(syncs.map((times) => tracker.next(web, pods(times))).at(-1)).toBe(expected);
  });

  it('of a Service that was made anew counts from its new creation', () => {
    const tracker = new TriggerTimeTracker();
    tracker.next(web, []);
    expect(tracker.next(service('web', {}, { creationTimestamp: CREATED + 9 }), [])).toBe(CREATED + 9);
    tracker.forget('default/web');
    expect(tracker.next(web, [])).toBe(CREATED);
  });

  it('of a Service without a stamp is none', () => {
    expect(new TriggerTimeTracker().next(service('web', {}, { creationTimestamp: 0 }), [])).toBeNull();
  });
});

describe('the annotation', () => {
  it('is the time in seconds, and goes when there is none', () => {
    const annotations = withTriggerTime({ team: 'a' }, 1_767_225_600);
    expect(annotations).toEqual({ team: 'a', [ANNOTATION.triggerTime]: '2026-01-01T00:00:00Z' });
    expect(withTriggerTime(annotations, null)).toEqual({ team: 'a' });
  });
});
