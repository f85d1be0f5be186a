import { describe, expect, it } from 'vitest';
import { apiPod, runningStatus, scriptedPod } from '../../../../test/support/cluster.ts';
import { InformerDouble } from '../../../../test/support/informerDouble.ts';
import type { Labels } from '../../api/objects.ts';
import { PodIndex } from './podIndex.ts';

const pod = (name: string, labels: Labels, namespace = 'default') =>
  apiPod(scriptedPod(name, labels, runningStatus([], true), { namespace }));

function indexOf(): { readonly pods: InformerDouble<'pods'>; readonly names: (selector: Labels) => readonly string[] } {
  const pods = new InformerDouble('pods');
  const index = new PodIndex(pods.informer);
  pods.set('a', pod('a', { app: 'web', track: 'stable' }));
  pods.set('b', pod('b', { app: 'web', track: 'canary' }));
  pods.set('c', pod('c', { app: 'db', track: 'stable' }));
  pods.set('d', pod('d', { app: 'web' }, 'other'));
  return { pods, names: (selector) => index.matching('default', selector).map(({ input }) => input.name) };
}

describe('Pods by their labels', () => {
  it.each<[selector: Labels, expected: readonly string[]]>([
    [{ app: 'web' }, ['a', 'b']],
    [{ app: 'web', track: 'stable' }, ['a']],
    [{ track: 'stable', app: 'db' }, ['c']],
    [{ app: 'none' }, []],
    [{ app: 'web', track: 'none' }, []],
    [{}, ['a', 'b', 'c']],
  ])('%j selects %j in its namespace', (selector, expected) => {
    expect(indexOf().names(selector)).toEqual(expected);
  });

  it('follows labels that change and Pods that go', () => {
    const { pods, names } = indexOf();
    pods.set('a', pod('a', { app: 'db' }));
    pods.set('b', null);
    expect(names({ app: 'web' })).toEqual([]);
    expect(names({ app: 'db' })).toEqual(['c', 'a']);
    expect(names({ track: 'stable' })).toEqual(['c']);
    expect(names({})).toEqual(['c', 'a']);
  });

  it('gives the newest version of a Pod whose labels stayed', () => {
    const pods = new InformerDouble('pods');
    const index = new PodIndex(pods.informer);
    const first = pod('a', { app: 'web' });
    pods.set('a', first);
    pods.set('a', { ...first, resourceVersion: 9 });
    expect(index.matching('default', { app: 'web' })).toMatchObject([{ resourceVersion: 9 }]);
  });
});
