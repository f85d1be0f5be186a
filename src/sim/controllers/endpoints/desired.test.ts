import { describe, expect, it } from 'vitest';
import { apiPod, runningStatus, scriptedPod, service, servicePort } from '../../../../test/support/cluster.ts';
import type { ApiPod } from '../../api/apiPod.ts';
import type { ServiceSpec } from '../../api/objects.ts';
import type { PodStatus } from '../../api/podStatus.ts';
import type { PodInput } from '../../scenario.ts';
import { desiredAddresses } from './desired.ts';

const IPS = ['10.0.0.1', 'fd00::1'];
interface Case {
  readonly spec?: Partial<ServiceSpec>;
  readonly status?: Partial<PodStatus>;
  readonly pod?: Partial<ApiPod>;
  readonly input?: Partial<PodInput>;
  readonly ready?: boolean;
}
const DELETING = { deletionTimestamp: 1_767_225_700, deletionGracePeriodSeconds: 30 };
const PUBLISH = { publishNotReadyAddresses: true };

function facts({ spec = {}, status = {}, pod = {}, input = {}, ready = true }: Case): readonly string[] {
  const ports = [{ name: 'http', containerPort: 8080 }];
  const made = apiPod(scriptedPod('web-0', {}, runningStatus(IPS, ready, status), input, ports), pod);
  return desiredAddresses(service('web', spec), [made]).facts.map(
    ({ port, address, ready: isReady }) =>
      `${address.ip}${address.hostname && ` ${address.hostname}`} ${port?.port ?? 'no port'} ${isReady ? 'ready' : 'not ready'}`,
  );
}

describe('addresses of a Service (C-120)', () => {
  it.each<[what: string, given: Case, expected: readonly string[]]>([
    ['a ready Pod is listed', {}, ['10.0.0.1 8080 ready']],
    ['one that is not ready is listed as such', { ready: false }, ['10.0.0.1 8080 not ready']],
    ['unless the Service publishes it', { ready: false, spec: PUBLISH }, ['10.0.0.1 8080 ready']],
    ['a Pod without an address is not', { status: { podIPs: [] } }, []],
    ['nor one that has failed', { status: { phase: 'Failed' } }, []],
    ['nor one that has succeeded, even if it is published', { status: { phase: 'Succeeded' }, spec: PUBLISH }, []],
    ['nor one that is being deleted', { pod: DELETING }, []],
    ['unless it is published', { pod: DELETING, spec: PUBLISH }, ['10.0.0.1 8080 ready']],
    ['the Service’s first family decides', { spec: { ipFamilies: ['IPv6', 'IPv4'] } }, ['fd00::1 8080 ready']],
    [
      'without families that of the cluster IP does',
      { spec: { ipFamilies: [], clusterIP: 'fd00::a' } },
      ['fd00::1 8080 ready'],
    ],
    ['or of the Pod when headless', { spec: { ipFamilies: [], clusterIP: 'None' } }, ['10.0.0.1 8080 ready']],
    [
      'a Pod without an address of the family is not listed',
      { spec: { ipFamilies: ['IPv6'] }, status: { podIPs: ['10.0.0.1'] } },
      [],
    ],
    [
      'a named port is looked up in the Pod',
      { spec: { ports: [servicePort({ targetPort: 'http' })] } },
      ['10.0.0.1 8080 ready'],
    ],
    [
      'a port that the Pod lacks is left out, others stay',
      { spec: { ports: [servicePort({ targetPort: 'admin' }), servicePort({ targetPort: 9000 })] } },
      ['10.0.0.1 9000 ready'],
    ],
    ['a headless Service needs no ports', { spec: { clusterIP: 'None', ports: [] } }, ['10.0.0.1 no port ready']],
    ['any other does', { spec: { ports: [] } }, []],
    [
      'the hostname counts in the Service’s own subdomain',
      { input: { hostname: 'first', subdomain: 'web' } },
      ['10.0.0.1 first 8080 ready'],
    ],
    ['and in no other', { input: { hostname: 'first', subdomain: 'db' } }, ['10.0.0.1 8080 ready']],
  ])('%s', (_what, given, expected) => {
    expect(facts(given)).toEqual(expected);
  });

  it('counts per port, as the log does', () => {
    const spec = { ports: [servicePort({ name: 'a' }), servicePort({ name: 'b', port: 81 })] };
    const pods = [true, true, false].map((ready, i) =>
      apiPod(scriptedPod(`web-${i}`, {}, runningStatus([`10.0.0.${i}`], ready))),
    );
    expect(desiredAddresses(service('web', spec), pods)).toMatchObject({ ready: 4, notReady: 2 });
  });
});
