import { expect, it } from 'vitest';
import { at, frontends, podIp, proxyRun, setReady, sizes } from '../../../test/support/proxyRun.ts';
import { microsSpan, milliseconds } from '../../base/units.ts';

const proxy = { mode: 'ebpf', minSyncPeriod: microsSpan(0), kernelWriteBase: milliseconds(1) } as const;

it('changes the entries of the Service that changed, each change at once', () => {
  const run = proxyRun({
    pods: ['node-a', 'node-b', 'node-b'],
    proxy,
    writes: [setReady(2, 0, false), setReady(2.1, 1, false)],
  });
  expect(sizes(run)).toEqual([{ entries: 3 }, { entries: 2 }]);
  expect(frontends(run)).toMatchObject([{ verdict: 'dnat', backends: [`${podIp(2)}:8080`] }]);
});

it('a failed update leaves the old backends', () => {
  const run = proxyRun({
    pods: ['node-a', 'node-b'],
    proxy: { ...proxy, fail: { from: at(1), until: at(5) } },
    writes: [setReady(2, 0, false)],
  });
  expect(frontends(run)[0]?.backends).toHaveLength(2);
  expect(run.all('proxyError').map(({ payload }) => payload.message)).toEqual(['Failed to update maps']);
});
