import type { Severity } from '../issue.ts';
import type { Report, Spot } from './report.ts';
import { lineOf, within } from './report.ts';

/** A part of a manifest that matters in a cluster, and that the simulation leaves out. */
export interface NotModelled {
  /** As in Issue.path. */
  readonly field: string;
  /** The object that has it, such as `Deployment web`. */
  readonly object: string;
  readonly line: number;
  /** What the simulation does instead. */
  readonly instead: string;
}
type Entry = readonly [field: string, severity: Severity, instead: string];

const POD: readonly Entry[] = [
  ['schedulingGates', 'warning', 'the Pod is bound to a node at once'],
  ['nodeSelector', 'note', 'Pods go to the nodes in turn'],
  ['affinity', 'note', 'Pods go to the nodes in turn'],
  ['topologySpreadConstraints', 'note', 'Pods go to the nodes in turn'],
  ['hostNetwork', 'warning', 'the Pod gets an address of its own, and two of its kind may share a node'],
];
const PORT: readonly Entry[] = [['hostPort', 'note', 'two Pods with it may share a node']];
const SELECTOR: readonly Entry[] = [['matchExpressions', 'warning', 'it selects by matchLabels alone']];
const WORKLOAD: readonly Entry[] = [['ordinals', 'warning', 'the Pods are numbered from 0']];
/** Clients outside of the cluster have no addresses. */
const SERVICE: readonly Entry[] = [
  ['loadBalancerSourceRanges', 'note', 'the rules name them, and every client from outside comes from within'],
];
const ENTRIES = {
  service: SERVICE,
  pod: POD,
  workload: WORKLOAD,
  port: PORT,
  selector: SELECTOR,
} as const;

/** Names what the model leaves out. One list for the counts and for the issues. */
export class NotModelledList {
  readonly entries: NotModelled[] = [];
  private readonly report: Report;

  constructor(report: Report) {
    this.report = report;
  }

  /** Looks for the fields that a map of that level may have. `object` is `Deployment web`. */
  look(level: keyof typeof ENTRIES, value: Readonly<Record<string, unknown>>, spot: Spot, object: string): void {
    for (const [field, severity, instead] of ENTRIES[level]) {
      if (!isEmpty(value[field])) this.add(severity, field, within(spot, field), object, instead);
    }
  }

  add(severity: Severity, field: string, spot: Spot, object: string, instead: string): void {
    this.entries.push({ field, object, line: lineOf(spot), instead });
    this.report.add(
      severity,
      spot,
      { message: `${field} of ${object} is not yet modelled: ${instead}`, remedy: null },
      { at: 'key' },
    );
  }
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === false ||
  (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
