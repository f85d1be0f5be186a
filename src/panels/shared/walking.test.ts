import { beforeEach, describe, expect, it } from 'vitest';
import { runOf, testStores } from '../../../test/support/stores.ts';
import { causedBy } from '../../explain/causes.ts';
import { laneOf } from '../../timeline/model/lane.ts';
import type { Stores } from './index.ts';
import { focusOrShowAll, leave, moveLane, select, showAll, shownLanes, step, togglePlaying, walk } from './index.ts';

let stores: Stores;
beforeEach(async () => {
  stores = testStores();
  await new Promise((resolve) => setImmediate(resolve));
  showAll(stores);
});
const view = () => stores.view.getState();
const selectedEvent = () => {
  const { selected } = view();
  return selected === null ? null : runOf(stores).reader.event(selected);
};
const lanes = () => shownLanes(runOf(stores), view().folds).map(({ id }) => id);

describe('moveLane', () => {
  it('goes from none to the first lane, down, and up again', () => {
    moveLane(stores, 1);
    expect(view().lane).toBe(lanes()[0]);
    moveLane(stores, 1);
    expect(view().lane).toBe(lanes()[1]);
    moveLane(stores, -1);
    expect(view().lane).toBe(lanes()[0]);
  });

  it('stays on the last lane, and starts there on its way up', () => {
    moveLane(stores, -1);
    expect(view().lane).toBe(lanes().at(-1));
    moveLane(stores, 1);
    expect(view().lane).toBe(lanes().at(-1));
  });

  it('leaves out the lanes of a folded group', () => {
    const before = lanes().length;
    stores.view.setState({ folds: new Map([['kubelet|node-a', true]]) });
    expect(lanes().length).toBeLessThan(before);
  });

  it('reaches the channels of a syncLoop once they are unfolded', () => {
    expect(lanes().filter((id) => id.startsWith('channel|'))).toEqual([]);
    const loop = lanes().find((id) => id.startsWith('syncLoop|')) ?? '';
    stores.view.setState({ folds: new Map([[loop, false]]) });
    expect(lanes()[lanes().indexOf(loop) + 1]).toMatch(/^channel\|.*\|config$/);
  });
});

describe('step', () => {
  it('selects only events of the lane in focus', () => {
    stores.view.setState({ lane: lanes().find((id) => id.startsWith('worker|')) ?? null });
    const seen = Array.from({ length: 4 }, () => {
      step(stores, 1);
      return selectedEvent();
    });
    expect(seen.map((event) => event && laneOf(event, runOf(stores).reader))).toEqual(Array(4).fill(view().lane));
    expect(new Set(seen.map((event) => JSON.stringify(event?.ref))).size).toBe(4);
  });

  it('selects only what came on the channel in focus', () => {
    const loop = lanes().find((id) => id.startsWith('syncLoop|')) ?? '';
    stores.view.setState({ folds: new Map([[loop, false]]) });
    stores.view.setState({ lane: lanes().find((id) => id.endsWith('|pleg')) ?? null });
    step(stores, 1);
    expect(selectedEvent()).toMatchObject({ kind: 'syncLoop', payload: { channel: 'pleg' } });
  });
});

describe('walk', () => {
  const withEffects = (count: (effects: number) => boolean) =>
    runOf(stores)
      .reader.refs()
      .find((ref) => count(causedBy(runOf(stores).reader, ref).length));

  it('goes on where there is one way', () => {
    const ref = withEffects((effects) => effects === 1);
    select(stores, ref ?? null);
    walk(stores, 1);
    expect(view().choice).toBeNull();
    expect(view().selected).toEqual(ref && causedBy(runOf(stores).reader, ref)[0]);
  });

  it('asks where there are several', () => {
    const ref = withEffects((effects) => effects > 1);
    select(stores, ref ?? null);
    walk(stores, 1);
    expect(view().selected).toEqual(ref);
    expect(view().choice).toEqual({ direction: 'effect', refs: ref && causedBy(runOf(stores).reader, ref) });
  });
});

describe('leave', () => {
  it('drops the selection, then the lane', () => {
    moveLane(stores, 1);
    select(stores, runOf(stores).reader.refs()[0] ?? null);
    leave(stores);
    expect(view()).toMatchObject({ selected: null, lane: lanes()[0] });
    leave(stores);
    expect(view().lane).toBeNull();
  });
});

describe('focusOrShowAll', () => {
  it('fills the window with the chain, then with the run', () => {
    const whole = view().window;
    const patch = runOf(stores)
      .reader.events()
      .findLast(({ kind }) => kind === 'apiRequest');
    select(stores, patch?.ref ?? null);
    focusOrShowAll(stores);
    const focus = view().window;
    expect(focus?.from).toBeLessThan(patch?.at ?? 0);
    expect(focus?.to).toBeGreaterThan(patch?.at ?? 0);
    expect((focus?.to ?? 0) - (focus?.from ?? 0)).toBeLessThan(((whole?.to ?? 0) - (whole?.from ?? 0)) / 2);
    focusOrShowAll(stores);
    expect(view().window).toEqual(whole);
  });
});

describe('togglePlaying', () => {
  it('plays from the start when the end is reached', () => {
    stores.playback.setState({ playhead: runOf(stores).reader.data.horizon });
    togglePlaying(stores);
    expect(stores.playback.getState()).toMatchObject({ playing: true, playhead: 0 });
    togglePlaying(stores);
    expect(stores.playback.getState().playing).toBe(false);
  });
});
