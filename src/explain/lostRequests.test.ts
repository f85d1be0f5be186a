import { describe, expect, it } from 'vitest';
import { recordedRun } from '../../test/support/recorded.ts';
import { serviceRun } from '../../test/support/services.ts';
import type { FinishedRun } from '../sim/trace/run.ts';
import { lostRequests } from './lostRequests.ts';
import { pathEn } from './words/pathEn.ts';
import { pathZh } from './words/pathZh.ts';

/** `noListener late 6 ×4`: what requests to Pods and to nobody met, and why the rules sent them there. */
function summary(run: FinishedRun): readonly string[] {
  const counts = new Map<string, number>();
  for (const { met, held } of lostRequests(run)) {
    const why = held === null ? '' : held.kind === 'late' ? ` late ${held.hop}` : ` ${held.kind}`;
    counts.set(met + why, (counts.get(met + why) ?? 0) + 1);
  }
  return [...counts].map(([what, count]) => `${what} ×${count}`).sort();
}

describe('lostRequests', () => {
  it.each<[name: string, recording: string, lost: readonly string[]]>([
    ['a rollout loses them to the rule sync', 'rolling-replace-02', ['noAddress late 6 ×1', 'noListener late 6 ×4']],
    [
      'the only Pod is kept as a fall-back while it is being deleted',
      'sidecar-01',
      ['noEndpoints ×46', 'noListener fallback ×108', 'noProcess fallback ×42'],
    ],
    [
      'without probes nobody asks whether the app listens',
      'no-probes-01',
      ['noEndpoints ×25', 'noListener unasked ×127'],
    ],
    ['a crash is late at the syncLoop', 'crash-loop-readiness-01', ['noEndpoints ×6', 'noProcess late 3 ×6']],
    [
      'a kubelet that restarts leaves an ill app in the rules until its next probe',
      'kubelet-restart-01',
      ['error late 1 ×72', 'noEndpoints ×34'],
    ],
    [
      'a Local policy without a local endpoint drops them',
      'internal-local-01',
      ['dropped ×59', 'noProcess fallback ×2'],
    ],
    ['a preStop that is long enough loses none', 'delete-prestop-sleep-01', []],
  ])('%s', (_name, recording, lost) => {
    expect(summary(recordedRun(`endtoend/${recording}`))).toEqual(lost);
  });

  it.each<[name: string, clients: string, more: string, lost: readonly string[]]>([
    [
      'a Pod that is asked itself has no address, then no listener, and no rules to blame',
      '{to: {pod: web-0, port: 8080}}',
      '',
      ['noListener ×6', 'nowhere ×2'],
    ],
    [
      'who watches slices itself lags behind them',
      '{to: {service: web, via: endpointSlices, lag: 8s}}',
      'actions: [{at: 20s, do: deletePod, pod: web-0, graceSeconds: 0}]',
      ['noAddress watcher ×3'],
    ],
    [
      'nobody gives a silent node up within 50 s',
      '{from: {outside: true}, to: {service: web, via: endpointSlices}}',
      'actions: [{at: 20s, do: cutNode, node: node-a, lasts: 5s}]',
      ['noWay silent ×10'],
    ],
  ])('%s', (_name, clients, more, lost) => {
    const found = summary(
      serviceRun(`duration: 28s\napps: [{workload: web, readyAfter: 3s}]\nclients: [${clients}]\n${more}`),
    );
    for (const what of lost) expect(found).toContain(what);
  });

  it('each has a sentence of its own in both languages, which names the hop that was late', () => {
    for (const request of lostRequests(recordedRun('endtoend/liveness-kill-02'))) {
      for (const words of [pathEn, pathZh]) expect(words.lost(request, 'web-0')).toMatch(/web-0.*[.。]$/);
      if (request.held?.kind === 'late') expect(pathEn.lost(request, 'web-0')).toContain(`hop ${request.held.hop}`);
    }
  });
});
