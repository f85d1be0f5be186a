import { describe, expect, it } from 'vitest';
import { servicePort } from '../../../../test/support/cluster.ts';
import { container } from '../../../../test/support/scenario.ts';
import type { ServicePort } from '../../api/objects.ts';
import { findPort } from './findPort.ts';

const withPort = (name: string, containerPort: number, protocol: 'TCP' | 'UDP' = 'TCP') => ({
  ...container({}),
  ports: [{ name, containerPort, protocol }],
});
const pod = {
  containers: [withPort('http', 8080), withPort('http', 8081), withPort('dns', 53, 'UDP')],
  initContainers: [
    withPort('setup', 1),
    { ...withPort('http', 9090), isSidecar: true },
    { ...withPort('metrics', 9091), isSidecar: true },
  ],
};

describe('the port of a Pod that a Service’s port leads to (C-121)', () => {
  it.each<[what: string, port: Partial<ServicePort>, expected: number | null]>([
    ['a number is itself, whatever the Pod declares', { targetPort: 7 }, 7],
    ['a name is the first container’s', { targetPort: 'http' }, 8080],
    ['a name is looked up by protocol too', { targetPort: 'dns', protocol: 'UDP' }, 53],
    ['and not found under another', { targetPort: 'dns' }, null],
    ['sidecars come after the containers', { targetPort: 'metrics' }, 9091],
    ['plain init containers do not count', { targetPort: 'setup' }, null],
  ])('%s', (_what, port, expected) => {
    expect(findPort(pod, servicePort(port))).toBe(expected);
  });
});
