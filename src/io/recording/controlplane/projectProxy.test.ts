import { expect, it } from 'vitest';
import type { RecordedEvent } from '../event.ts';
import { withoutMoved } from './projectProxy.ts';

const backends = (t: number, service: string, verdict: string, frontend = '10.96.0.10:80/tcp'): RecordedEvent => ({
  t,
  lane: 'proxy',
  type: 'backends',
  proxy: 'proxy-a',
  frontend,
  service,
  verdict,
});

it.each<[string, readonly RecordedEvent[], readonly string[]]>([
  [
    'a frontend that moves to another Service in one sync does not end',
    [backends(1, 'a', 'none'), backends(1, 'b', 'dnat')],
    ['b dnat'],
  ],
  ['nor if its new Service is told first', [backends(1, 'b', 'reject'), backends(1, 'a', 'none')], ['b reject']],
  [
    'one that comes in a later sync had ended',
    [backends(1, 'a', 'none'), backends(2, 'b', 'dnat')],
    ['a none', 'b dnat'],
  ],
  [
    'another frontend of the same sync changes nothing',
    [backends(1, 'a', 'none'), backends(1, 'b', 'dnat', '10.96.0.11:80/tcp')],
    ['a none', 'b dnat'],
  ],
])('%s', (_name, events, left) => {
  expect(withoutMoved(events).map(({ service, verdict }) => `${service} ${verdict}`)).toEqual(left);
});
