import { describe, expect, it } from 'vitest';
import { apiPod, runningStatus, scriptedPod, service } from '../../../../test/support/cluster.ts';
import { InformerDouble } from '../../../../test/support/informerDouble.ts';
import type { ApiPod } from '../../api/apiPod.ts';
import type { Labels } from '../../api/objects.ts';
import { podChangeOf, servicesToSync } from './podChanges.ts';
import { ServiceIndex } from './serviceIndex.ts';

const WEB = { app: 'web' };
const base = apiPod(scriptedPod('web-0', WEB, runningStatus(['10.0.0.1'], true)));
const next = (over: Partial<ApiPod>): ApiPod => ({ ...base, resourceVersion: 2, ...over });
const deleted = { deletionTimestamp: 1_767_225_700 };

describe('what an update of a Pod changes (C-110, C-111)', () => {
  it.each<[what: string, old: ApiPod, now: ApiPod, labels: boolean, pod: boolean]>([
    ['the same version changes nothing', base, { ...base, status: { ...base.status, podIPs: [] } }, false, false],
    ['an annotation changes nothing', base, next({ annotations: { seen: 'true' } }), false, false],
    ['a phase changes nothing', base, next({ status: { ...base.status, phase: 'Failed' } }), false, false],
    ['Ready does', base, next({ status: runningStatus(['10.0.0.1'], false) }), false, true],
    ['another address does', base, next({ status: runningStatus(['10.0.0.2'], true) }), false, true],
    ['an address more does', base, next({ status: runningStatus(['10.0.0.1', 'fd00::1'], true) }), false, true],
    ['the deletion does', base, next(deleted), false, true],
    ['and so does each update after it', next(deleted), next({ ...deleted, resourceVersion: 3 }), false, true],
    ['labels are told apart', base, next({ labels: { ...WEB, tier: 'a' } }), true, false],
    ['a hostname is as good as a label', base, next({ input: { ...base.input, hostname: 'first' } }), true, false],
    ['and a subdomain', base, next({ input: { ...base.input, subdomain: 'web' } }), true, false],
  ])('%s', (_what, old, now, labels, pod) => {
    expect(podChangeOf(old, now)).toEqual({ labels, pod });
  });
});

describe('Services that a Pod’s event concerns (C-112)', () => {
  const services = new InformerDouble('services');
  const index = new ServiceIndex(services.informer);
  const selectors: Readonly<Record<string, Labels | null>> = {
    web: WEB,
    canary: { app: 'web', track: 'canary' },
    db: { app: 'db' },
    all: {},
    none: null,
  };
  for (const [name, selector] of Object.entries(selectors))
    services.set(`default/${name}`, service(name, { selector }));

  const canary = { ...WEB, track: 'canary' };
  it.each<[what: string, old: ApiPod | null, now: ApiPod | null, expected: readonly string[] | null]>([
    ['a new Pod: those that select it', null, base, ['all', 'web']],
    ['a Pod that is gone: those that selected it', base, null, ['all', 'web']],
    ['an update that changes nothing: nobody looks', base, next({ annotations: { a: 'b' } }), null],
    ['Ready: those that select it', base, next({ status: runningStatus(['10.0.0.1'], false) }), ['all', 'web']],
    ['labels alone: those that gain or lose it', base, next({ labels: canary }), ['canary']],
    ['labels alone, moved away: both', base, next({ labels: { app: 'db' } }), ['db', 'web']],
    ['labels and deletion: all before and after', base, next({ labels: canary, ...deleted }), ['all', 'canary', 'web']],
    ['labels that no Service names: looked at, for nobody', base, next({ labels: { ...WEB, build: '7' } }), []],
  ])('%s', (_what, old, now, expected) => {
    expect(servicesToSync(index, { old, now })).toEqual(
      expected === null ? null : expected.map((name) => `default/${name}`),
    );
  });

  it('asks only Services of the Pod’s namespace', () => {
    const other = apiPod(scriptedPod('web-0', WEB, runningStatus([], true), { namespace: 'other' }));
    expect(servicesToSync(index, { old: null, now: other })).toEqual([]);
  });

  it('forgets a Service that is gone, and follows a selector that changes', () => {
    services.set('default/moving', service('moving', { selector: WEB }));
    services.set('default/moving', service('moving', { selector: { app: 'db' } }));
    expect(servicesToSync(index, { old: null, now: base })).not.toContain('default/moving');
    expect(index.selecting('default', { app: 'db' })).toContain('default/moving');
    services.set('default/moving', null);
    expect(index.selecting('default', { app: 'db' })).not.toContain('default/moving');
  });
});
