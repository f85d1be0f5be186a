/** What can stand on a lane. Plain values in µs; how they look on the screen is `draw`'s business. */
import type { Micros } from '../../base/units.ts';
import type { EventRef } from '../../sim/trace/kinds.ts';

/** A role of colour: machinery is `mech`, outcomes have their own, nothing is `idle` alone without a shape. */
export type Tone = 'ok' | 'wait' | 'fail' | 'term' | 'idle' | 'mech';
/** Shape says the state without colour. */
export type Pattern = 'plain' | 'ready' | 'notYet' | 'absent' | 'terminating' | 'servingTerminating' | 'unknown';

/** A stretch of one state. Bands of a lane are sorted and do not overlap. */
export interface Band {
  readonly from: Micros;
  readonly to: Micros;
  readonly tone: Tone;
  readonly pattern: Pattern;
  /** State word, such as `True`, `serving`, `v3`. */
  readonly word: string;
  /** Second label, dropped first. */
  readonly note: string;
  readonly ref: EventRef | null;
}

/** Something that took a time and has an end, such as a CRI call or a pod worker's pass. Sorted by begin. `fail` is hatched. */
export interface Bar {
  readonly from: Micros;
  readonly to: Micros;
  readonly tone: Tone;
  readonly word: string;
  readonly ref: EventRef;
}

/**
 * `success` circle with tick · `failure` square with cross · `error` square with `!` · `ring` woke, did not probe ·
 * `pause` on hold · `letter` box with a letter · `tick` low tick · `arrow` a PATCH or
 * another write · `page` an object was stored · of a client's attempts: `served` stem up with dot, `refused` stem down
 * with cross, `errorAnswer` stem down with square, `silent` stem down with ring
 */
export type GlyphShape =
  | 'success'
  | 'failure'
  | 'error'
  | 'ring'
  | 'pause'
  | 'letter'
  | 'tick'
  | 'arrow'
  | 'page'
  | RequestShape;
export type RequestShape = 'served' | 'refused' | 'errorAnswer' | 'silent';

/**
 * Glyphs that repeat: number i stands at `at + i · period`. Runs of a lane are sorted and do not interleave, as the
 * trace packs a row only while nothing of the same worker comes between.
 */
export interface GlyphRun {
  readonly row: number;
  readonly at: Micros;
  /** µs from one to the next; 0 when count is 1. */
  readonly period: number;
  readonly count: number;
  /** µs that each of them took. */
  readonly length: number;
  readonly shape: GlyphShape;
  readonly tone: Tone;
  /** In the box of a `letter`; else under the glyph, for example `fail 2/3`. */
  readonly text: string;
  /** Right of a `letter` that stands alone; '' for none. */
  readonly note: string;
  /** A triangle above: the turn was triggered by hand, not by the ticker. */
  readonly manual: boolean;
}

/** A dotted line: nothing happens from one turn to the next. A `named` one is worth words. */
export interface Wait {
  readonly from: Micros;
  readonly to: Micros;
  readonly named: boolean;
}

export type LaneKind =
  | 'app'
  | 'runtime'
  | 'worker'
  | 'results'
  | 'syncLoop'
  | 'channel'
  | 'podWorker'
  | 'status'
  | 'condition'
  | 'phase'
  | 'container'
  | 'events'
  | 'endpointSlices'
  | 'endpoint'
  | 'endpoints'
  | 'endpointsController'
  | 'endpointSliceController'
  | 'mirroringController'
  | 'rules'
  | 'ruleSync'
  | 'client'
  | 'workload'
  | 'replicaSet'
  | 'nodeReady'
  | 'lease'
  | 'taints';

export interface Lane {
  /** Stable over edits of the scenario: made of identities, never of generated names. */
  readonly id: string;
  readonly kind: LaneKind;
  readonly node: string;
  readonly pod: string;
  readonly container: string;
  /** The probe of a worker, the channel of a syncLoop, the type of a condition, a Service (`namespace/name`), a proxy, a client, a workload (`deployments/namespace/name`); else ''. */
  readonly part: string;
  /** The name of the one thing that it shows, such as a Pod's in an endpoint; '' where the kind says enough. */
  readonly title: string;
  readonly bands: readonly Band[];
  readonly bars: readonly Bar[];
  /** Parts of the bars, in a thinner row below them. */
  readonly steps: readonly Bar[];
  readonly glyphs: readonly GlyphRun[];
  readonly waits: readonly Wait[];
  /** Lanes that unfold below this one and show parts of it; mostly none. */
  readonly parts: readonly Lane[];
}

export interface LaneGroup {
  readonly id: string;
  readonly kind:
    | 'pod'
    | 'kubelet'
    | 'api'
    | 'controlPlane'
    | 'service'
    | 'dataPath'
    | 'proxy'
    | 'clients'
    | 'controllers'
    | 'workload'
    | 'node';
  /** The Pod's identity, the node's name, the Service's key. */
  readonly name: string;
  /** For display; may hold a generated suffix. */
  readonly title: string;
  /** What the group's title row shows when it is folded: the Pod's Ready condition, the Service's endpoints. */
  readonly summary: () => readonly Band[];
  /** Made on first use, then the same array. */
  readonly lanes: () => readonly Lane[];
}

/** The instant of glyph number `i` of a run, µs. */
export const glyphAt = (run: GlyphRun, i: number): number => run.at + i * run.period;
/** The instant of the last glyph of a run, µs. */
export const lastGlyphAt = (run: GlyphRun): number => glyphAt(run, run.count - 1);
