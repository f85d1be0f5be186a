import { expect, it } from 'vitest';
import { service, servicePort } from '../../../test/support/cluster.ts';
import type { ServiceObject } from '../api/objects.ts';
import { ServiceChangeTracker } from './serviceChangeTracker.ts';

const plain = service('web');
const sticky = service('web', { affinitySeconds: 600 });
const labelled = service('web', {}, { labels: { team: 'blue' } });
const other = service('db');

/** Events as [old, now], and after each whether there is something to sync. */
it.each<[string, readonly (readonly [ServiceObject | null, ServiceObject | null, boolean])[], readonly string[]]>([
  ['a new Service', [[null, plain, true]], ['default/web 1']],
  ['a change that rules do not depend on', [[plain, labelled, false]], []],
  ['a change that they do', [[plain, sticky, true]], ['default/web 1']],
  [
    'a change and back',
    [
      [plain, sticky, true],
      [sticky, plain, false],
    ],
    [],
  ],
  [
    'new and gone again',
    [
      [null, plain, true],
      [plain, null, false],
    ],
    [],
  ],
  ['gone', [[plain, null, true]], ['default/web 0']],
  [
    'an event without a change while another Service waits',
    [
      [plain, sticky, true],
      [other, other, true],
    ],
    ['default/web 1'],
  ],
  ['made an external name', [[plain, service('web', { type: 'ExternalName' }), true]], ['default/web 0']],
])('%s', (_, events, changed) => {
  const tracker = new ServiceChangeTracker('IPv4', 37);
  for (const [old, now, expected] of events) expect(tracker.update(old, now)).toBe(expected);
  expect([...tracker.checkout()].map(([key, ports]) => `${key} ${ports.length}`)).toEqual(changed);
});

it('the order of the ports is no change', () => {
  const a = servicePort({ name: 'a', port: 1 });
  const b = servicePort({ name: 'b', port: 2 });
  const tracker = new ServiceChangeTracker('IPv4', 37);
  expect(tracker.update(service('web', { ports: [a, b] }), service('web', { ports: [b, a] }))).toBe(false);
});

it('a checkout takes what there is', () => {
  const tracker = new ServiceChangeTracker('IPv4', 37);
  tracker.update(plain, sticky);
  tracker.checkout();
  expect(tracker.checkout().size).toBe(0);
  expect(tracker.update(sticky, sticky)).toBe(false);
});
