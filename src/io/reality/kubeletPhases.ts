import { MICROS_PER_SECOND, type MicrosSpan, micros, microsSpan, milliseconds } from '../../base/units.ts';
import type { KnownRelist, Pins } from '../../sim/scenario.ts';
import { klogLines, needed, type ReadFile, valueIn } from './recordingFiles.ts';
import type { World } from './world.ts';

/** The kubelet's tickers as a recording lets them be seen. */
export interface KubeletPhases {
  readonly pins: Pins;
  /** Global relists that the recording shows, in order. */
  readonly relists: readonly KnownRelist[];
  /** Length of a relist of all Pods, µs. */
  readonly relist: MicrosSpan;
}

/** A relist of this cluster's kubelet, with its 10 to 25 Pods, where the recording tells no more. */
const USUAL_RELIST = milliseconds(2.3);
/** A pass that begins so long after its cause has waited for a relist (K-091), µs. */
const WAITED = 20_000;
/** A relist further than this from where the ones before it point is of another grid, µs. */
const OFF_GRID = 15_000;

/**
 * The phases of the relist and of the sync ticker: a pass that waited began with a relist, and "SyncLoop (SYNC)" comes
 * with a tick. What the recording does not show is left to the draws. Only the process that ran at the begin counts.
 */
export function kubeletPhases(read: ReadFile, { t0Us, kubelet }: World, node: string): KubeletPhases {
  const restart = kubelet.startedUs.find((at) => at > t0Us) ?? Number.POSITIVE_INFINITY;
  const words = ['"Processing pod event"', 'SyncPod enter"', 'SyncTerminatingPod enter"', '"SyncLoop (SYNC) pods"'];
  const lines = klogLines(needed(read, 'kubelet.log'), words, t0Us)
    .filter(({ at }) => at < restart)
    .map(({ at, text }) => ({ at: at - t0Us, text }));
  const relists = relistsIn(lines);
  const tick = lines.find(({ text }) => text.includes('(SYNC)'))?.at;
  const pins: Pins = tick === undefined ? {} : { [`kubelet/syncPhase/${node}`]: [{ value: phaseOf(tick), at: null }] };
  return { relists, relist: relistLength(relists.map(({ view }) => view)), pins };
}

const phaseOf = (at: number): number => ((at % MICROS_PER_SECOND) + MICROS_PER_SECOND) % MICROS_PER_SECOND;

function relistsIn(lines: readonly { readonly at: number; readonly text: string }[]): readonly KnownRelist[] {
  const waiting = new Map<string, number>();
  const found = lines.flatMap(({ at, text }): KnownRelist[] => {
    const pod = valueIn(text, 'pod');
    if (text.includes('"Processing')) waiting.set(pod, at);
    const since = waiting.get(pod);
    if (!text.includes(' enter"') || since === undefined) return [];
    waiting.delete(pod);
    return at - since > WAITED ? [{ after: micros(since - WAITED), view: micros(at) }] : [];
  });
  // Several Pods may have waited for one; the first to wait says most.
  return found.flatMap(({ after, view }, i) => {
    if (view - (found[i - 1]?.view ?? Number.NEGATIVE_INFINITY) < OFF_GRID) return [];
    const same = found.filter((one) => Math.abs(one.view - view) < OFF_GRID);
    return [{ after: micros(Math.min(after, ...same.map((one) => one.after))), view }];
  });
}

/** What the instants' distances are longer than whole seconds, per relist. */
function relistLength([first = 0, ...others]: readonly number[]): MicrosSpan {
  let cycle = MICROS_PER_SECOND + USUAL_RELIST;
  for (const at of others) {
    const cycles = Math.round((at - first) / cycle);
    if (cycles > 0 && Math.abs(at - first - cycles * cycle) < OFF_GRID) cycle = (at - first) / cycles;
  }
  return microsSpan(Math.round(cycle) - MICROS_PER_SECOND);
}
