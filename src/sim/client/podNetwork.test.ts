import { expect, it } from 'vitest';
import { networkOf, type PodAddress } from './podNetwork.ts';

/** A node that has one address, at first with nobody behind it. */
function nodeWith(address: string) {
  const asked: number[] = [];
  return {
    node: 'node-a',
    isOn: true,
    isReachable: true,
    changes: 0,
    state: 'closed' as PodAddress['state'],
    asked,
    lookUp(ip: string, port: number): PodAddress | null {
      asked.push(port);
      return ip === address ? { pod: 'default/web', state: this.state } : null;
    },
  };
}

it('a node is asked again about an address once something of it has changed, and not before', () => {
  const node = nodeWith('10.0.0.1');
  const network = networkOf([nodeWith('10.0.0.9'), node]);
  const state = (): unknown => network.lookUp('10.0.0.1:80', 'node-a')?.state;
  expect([state(), state(), node.asked]).toEqual(['closed', 'closed', [80]]);
  node.state = 'gone';
  node.changes++;
  expect([state(), state(), node.asked]).toEqual(['gone', 'gone', [80, 80]]);
});

it('what stands behind one port says nothing of another', () => {
  const node = nodeWith('10.0.0.1');
  const network = networkOf([node]);
  for (const port of [80, 53, 80]) network.lookUp(`10.0.0.1:${port}`, 'node-a');
  expect(node.asked).toEqual([80, 53]);
});

it('an address that nobody has yet is looked for each time', () => {
  const node = nodeWith('10.0.0.1');
  const network = networkOf([node]);
  expect([1, 2].map(() => network.lookUp('10.0.0.2:80', ''))).toEqual([null, null]);
  expect(node.asked).toEqual([80, 80]);
});
