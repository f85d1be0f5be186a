import type { Quantiles } from '../../base/quantiles.ts';
import { milliseconds } from '../../base/units.ts';
import type { Jitter } from '../../sim/scenario.ts';

/**
 * Lengths of the hops between a real cluster's components, from the table "Measured hops" of the recordings' README; "row"
 * is a row of it. Where a row spans two of the simulator's hops it is split: of a request's length all but half a
 * millisecond lies before the commit, because what follows it, a watch or the controller's next write, comes within a few
 * milliseconds of the answer however long the request took (rows 04 to 07).
 */

/** min, p10, p50, p90 and max in ms. Between two of them the distribution is taken as geometric, as hops have long tails. */
export function spread(min: number, p10: number, p50: number, p90: number, max: number): Quantiles {
  const middle = (a: number, b: number): number => Math.sqrt(a * b);
  const points: readonly (readonly [number, number])[] = [
    [0, min],
    [0.1, p10],
    [0.3, middle(p10, p50)],
    [0.5, p50],
    [0.7, middle(p50, p90)],
    [0.9, p90],
    [0.95, middle(p90, max)],
    [1, max],
  ];
  return points.map(([fraction, length]) => [fraction, milliseconds(length)]);
}

/** Rows 07 and 08: from the commit of a slice to the operator's watch, and from there to a proxy that is idle. */
export const PROXY_WATCH = spread(0.7, 1.2, 2, 3.6, 7);
const ANSWER = spread(0.3, 0.4, 0.5, 0.6, 0.9);

const SHARED: Jitter = {
  // Row 02.
  probeResult: spread(0.02, 0.06, 0.12, 0.3, 2.3),
  // Between a container's start and the turn that a pass pokes, one in eleven turns came before the pass's status (K-117).
  pokedTurn: [
    [0, 0],
    [0.09, 0],
    [0.09, 50],
    [0.5, 200],
    [1, 700],
  ],
  // Row 03, without the answer, and without what waits for the status manager's writes before it: that is simulated.
  statusGet: spread(0.2, 1.5, 2.8, 7, 30),
  // Row 04, without the answer.
  apiRequest: spread(1.6, 2.6, 4.2, 10.3, 30.3),
  apiResponse: ANSWER,
  // Row 01: what lies between the start of a container and the pass that sees it run.
  plegRelistPod: spread(1.1, 2, 5, 10.5, 19),
  // The README's paragraph on the runtime.
  criRunPodSandbox: spread(7.5, 8.5, 12, 28, 60),
  criCreateContainer: spread(0.5, 0.8, 1.5, 3, 10),
  criStartContainer: spread(1, 1.2, 2, 3, 10),
  // Row 06, with the answer.
  controllerWatch: spread(0.8, 2.1, 3.6, 6.3, 12),
  // Row 13, with the answer.
  deletionWatch: spread(0.3, 4.4, 9.2, 13.2, 37.2),
  // Row 07, without the answer.
  controllerRequest: spread(1, 2.1, 4.1, 13.2, 44),
  controllerResponse: ANSWER,
  proxyWatch: PROXY_WATCH,
};

/**
 * Row 09, cut where the rules come into force. Of each sync that gave a Service its first endpoint (20 and 11), the last
 * connection without an answer and the first with one say between which instants that was; the most likely log-normal
 * distribution has its median 17 ms after the sync's first line in iptables mode, with p10 11 and p90 27. In nftables mode
 * it lies between 2 and 7 ms.
 */
const RULES: Readonly<Record<'iptables' | 'nftables', Jitter>> = {
  iptables: { ruleWrite: spread(8, 11, 16.5, 23, 27), proxyAfterSync: spread(6, 9, 14, 19.5, 28) },
  nftables: { ruleWrite: spread(2, 3.5, 5, 7, 9), proxyAfterSync: spread(6, 8.5, 14.5, 47, 122) },
};

/** How the hops of a cluster with such a proxy vary. */
export const jitterOf = (mode: string): Jitter => ({
  ...SHARED,
  ...RULES[mode === 'nftables' ? 'nftables' : 'iptables'],
});

/** What is no part of the simulator, and drawn beside it. */
export const OBSERVER: Readonly<Record<'patchSeen' | 'beforeProxy' | 'deletion', Quantiles>> = {
  // Rows 04 and 05: from the commit.
  patchSeen: spread(0.3, 0.9, 1.8, 4.1, 6.3),
  // Row 08, idle: how long before kube-proxy, which hears of a slice from the same cache of the API server.
  beforeProxy: spread(0, 0.3, 0.8, 1.1, 2.7),
  // Row 12.
  deletion: spread(3.5, 3.7, 7.7, 12.6, 14.2),
};

/** From the commit of a request to its answer, µs, where that is not drawn. */
export const ANSWER_US = 500;
