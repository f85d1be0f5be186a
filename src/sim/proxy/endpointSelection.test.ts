import { describe, expect, it } from 'vitest';
import { service, servicePort } from '../../../test/support/cluster.ts';
import type { ServiceSpec } from '../api/objects.ts';
import { selectEndpoints } from './endpointSelection.ts';
import type { ProxyEndpoint } from './endpoints.ts';
import { servicePortsOf } from './servicePort.ts';

/**
 * Endpoints as words: the name, then letters for what is so of it. R ready, S serving, T terminating, L on this node.
 * `a:RS` is a ready endpoint elsewhere, `b:STL` one here that terminates and still serves.
 */
function parse(text: string, hints: Readonly<Record<string, Partial<ProxyEndpoint>>> = {}): readonly ProxyEndpoint[] {
  return text.split(' ').map((word) => {
    const [name = '', flags = ''] = word.split(':');
    return {
      ip: name,
      address: name,
      node: flags.includes('L') ? 'here' : 'there',
      ready: flags.includes('R'),
      serving: flags.includes('S'),
      terminating: flags.includes('T'),
      zoneHints: [],
      nodeHints: [],
      ...hints[name],
    };
  });
}

const EXTERNAL: Partial<ServiceSpec> = { type: 'NodePort', ports: [servicePort({ nodePort: 30_080 })] };
const INTERNAL_LOCAL: Partial<ServiceSpec> = { internalTrafficPolicy: 'Local' };
const EXTERNAL_LOCAL: Partial<ServiceSpec> = { ...EXTERNAL, externalTrafficPolicy: 'Local' };

function select(
  spec: Partial<ServiceSpec>,
  endpoints: readonly ProxyEndpoint[],
  { zone = 'z1', minor = 37 }: { readonly zone?: string; readonly minor?: number } = {},
): string {
  const [port] = servicePortsOf(service('web', spec), 'IPv4', minor);
  if (!port) throw new Error('no port');
  const { cluster, local, reachable, hasAny } = selectEndpoints(port, endpoints, { node: 'here', zone }, minor);
  const names = (list: readonly ProxyEndpoint[]): string => list.map(({ address }) => address).join('') || '-';
  return `${names(cluster)} ${names(local)} ${names(reachable)} ${hasAny ? 'any' : 'none'}`;
}

describe('cluster list, local list, both, and whether there is any', () => {
  it.each<[string, Partial<ServiceSpec>, string, string]>([
    ['ready ones only', {}, 'a:RS b: c:RS d:ST', 'ac - ac any'],
    ['without a ready one those that serve while they terminate', {}, 'a: b:ST c:T d:S', 'b - b any'],
    ['one that neither is ready nor serves and terminates is never used', {}, 'a:S b:T c:', '- - - none'],
    ['no endpoint at all', {}, 'a:', '- - - none'],
    ['an external port with the Cluster policy uses no local list', EXTERNAL, 'a:RSL b:RS', 'ab - ab any'],
    ['internal Local: only what is here', INTERNAL_LOCAL, 'a:RSL b:RS', '- a a any'],
    ['internal Local: nothing here, but something elsewhere', INTERNAL_LOCAL, 'a:L b:RS', '- - - any'],
    ['internal Local: nothing anywhere', INTERNAL_LOCAL, 'a:L b:', '- - - none'],
    ['internal Local falls back by itself', INTERNAL_LOCAL, 'a:STL b:RS', '- a a any'],
    ['external Local: the cluster list for the node itself', EXTERNAL_LOCAL, 'a:RSL b:RS', 'ab a ab any'],
    ['the two fallbacks are independent', EXTERNAL_LOCAL, 'a:STL b:RS', 'b a ba any'],
    ['both lists can fall back', EXTERNAL_LOCAL, 'a:STL b:ST', 'ab a ab any'],
    [
      'internal Local and external Cluster use both lists',
      { ...EXTERNAL, ...INTERNAL_LOCAL },
      'a:RSL b:RS',
      'ab a ab any',
    ],
  ])('%s', (_, spec, endpoints, expected) => {
    expect(select(spec, parse(endpoints))).toBe(expected);
  });
});

describe('hints', () => {
  const z1 = { zoneHints: ['z1'] };
  const z2 = { zoneHints: ['z2'] };
  const here = { zoneHints: ['z1'], nodeHints: ['here'] };
  const there = { zoneHints: ['z1'], nodeHints: ['there'] };
  it.each<[string, Readonly<Record<string, Partial<ProxyEndpoint>>>, string, string]>([
    ['the own zone', { a: z1, b: z2 }, 'a:RS b:RS', 'a'],
    ['one ready endpoint without hints switches them off', { a: z1 }, 'a:RS b:RS', 'ab'],
    ['one that is not ready does not', { a: z1 }, 'a:RS b:', 'a'],
    ['no hint for this zone: all', { a: z2, b: z2 }, 'a:RS b:RS', 'ab'],
    ['the own node before the own zone', { a: here, b: there }, 'a:RS b:RS', 'a'],
    ['no hint for this node: the zone', { a: there, b: { ...z2, nodeHints: ['there'] } }, 'a:RS b:RS', 'a'],
    ['the fallback ignores hints', { a: z2, b: z1 }, 'a:ST b:ST', 'ab'],
  ])('%s', (_, hints, endpoints, expected) => {
    expect(select({}, parse(endpoints, hints)).split(' ')[0]).toBe(expected);
  });

  it('a node without a zone takes all', () => {
    expect(select({}, parse('a:RS b:RS', { a: z1, b: z2 }), { zone: '' })).toBe('ab - ab any');
  });

  it('the local list ignores hints', () => {
    expect(select(EXTERNAL_LOCAL, parse('a:RSL b:RS', { a: z2, b: z1 }))).toBe('b a ba any');
  });
});

describe('older versions', () => {
  it.each<[string, number, Partial<ServiceSpec>, string, Readonly<Record<string, Partial<ProxyEndpoint>>>, string]>([
    ['1.25 has no fallback', 25, {}, 'a:ST', {}, '- - - none'],
    ['1.26 has', 26, {}, 'a:ST', {}, 'a - a any'],
    ['1.22 knows no hints', 22, {}, 'a:RS b:RS', { a: { zoneHints: ['z1'] }, b: { zoneHints: ['z2'] } }, 'ab - ab any'],
    [
      '1.33 knows no hints for nodes',
      33,
      {},
      'a:RS b:RS',
      { a: { nodeHints: ['here'] }, b: { nodeHints: ['there'] } },
      'ab - ab any',
    ],
    ['1.21 knows no internal policy', 21, INTERNAL_LOCAL, 'a:RSL b:RS', {}, 'ab - ab any'],
  ])('%s', (_, minor, spec, endpoints, hints, expected) => {
    expect(select(spec, parse(endpoints, hints), { minor })).toBe(expected);
  });
});
