/** A finished run of a whole path, with questions asked of it; and the same facts read from the events alone. */

import { type Micros, micros } from '../../src/base/units.ts';
import { endpointHistoryOf, type SliceState } from '../../src/explain/endpointHistory.ts';
import { type Budget, joiningBudget, leavingBudget } from '../../src/explain/hops.ts';
import { type PodPath, pathsOf } from '../../src/explain/path.ts';
import { podsOf } from '../../src/explain/podsOf.ts';
import { type Why, whyAt } from '../../src/explain/why.ts';
import type { PodInput, Scenario } from '../../src/sim/scenario.ts';
import { apiPodKey } from '../../src/sim/trace/podObject.ts';
import { finishedRun } from '../../src/sim/trace/podsOfRun.ts';
import { type RulesVersion, rulesOf } from '../../src/sim/trace/rulesInForce.ts';
import type { FinishedRun } from '../../src/sim/trace/run.ts';
import { RunEvents } from './runEvents.ts';

const SERVICE = 'default/web';
/** Instants at which questions are asked: so many spread evenly, and so many at which something has just changed. */
const EVEN = 3;
const TURNS = 4;

/** Everything is computed once, on first use. */
export class PathObservation extends RunEvents {
  readonly run: FinishedRun;
  /** Pods that the Service may list. */
  readonly pods: readonly PodInput[];
  readonly nodes: readonly string[];
  private readonly rulesByNode = new Map<string, readonly RulesVersion[]>();
  private readonly answers = new Map<string, Why>();
  private asked: readonly Why[] | null = null;
  private walked: readonly PodPath[] | null = null;

  constructor(scenario: Scenario) {
    super(scenario);
    this.run = finishedRun(scenario, this.reader);
    this.pods = [...podsOf(this.run.scenario).values()].filter(({ identity }) => identity.startsWith('default/web'));
    this.nodes = (scenario.cluster?.proxies ?? []).map(({ node }) => node);
  }

  get paths(): readonly PodPath[] {
    this.walked ??= pathsOf(this.run);
    return this.walked;
  }

  get budgets(): readonly Budget[] {
    const horizon = micros(this.horizon);
    return this.paths.flatMap((path) =>
      this.nodes.flatMap((node) =>
        [joiningBudget(path, node, horizon), leavingBudget(path, node, horizon)].filter((budget) => budget !== null),
      ),
    );
  }

  /** Each Pod is asked about at all instants, of one node and of all. */
  get whys(): readonly Why[] {
    this.asked ??= this.instants().flatMap((at, place) =>
      this.pods.flatMap((pod) =>
        [null, this.nodes[place % this.nodes.length] ?? null].map((node) => this.why(pod, node, at)),
      ),
    );
    return this.asked;
  }

  why(pod: PodInput, node: string | null, at: Micros): Why {
    const key = `${pod.identity} ${node} ${at}`;
    const why = this.answers.get(key) ?? whyAt(this.run, { pod, service: SERVICE, node, at });
    this.answers.set(key, why);
    return why;
  }

  /** Nodes whose rules ought to have the Pod: with internalTrafficPolicy Local its own alone (P-050). */
  meant({ node }: PodInput): readonly string[] {
    const [stored] = this.of('stored').filter(({ subject }) => subject.object === `services/${SERVICE}`);
    const service =
      stored && (this.json(stored.payload.object) as { readonly spec: { internalTrafficPolicy?: string } });
    const isLocal = service?.spec.internalTrafficPolicy === 'Local';
    return isLocal ? this.nodes.filter((name) => name === node) : this.nodes;
  }

  private instants(): readonly Micros[] {
    const even = Array.from({ length: EVEN }, (_, i) => micros(Math.round(((i + 0.5) * this.horizon) / EVEN)));
    const turns = [...this.of('rulesChanged'), ...this.of('appState'), ...this.of('stored')]
      .map(({ at }) => at)
      .filter((at) => at > 0)
      .sort((a, b) => a - b);
    return [
      ...even,
      ...Array.from({ length: TURNS }, (_, i) => turns[Math.floor((i * turns.length) / TURNS)] ?? (even[0] as Micros)),
    ];
  }

  /** Changes of the rules of a node's proxy. */
  rules(node: string): readonly RulesVersion[] {
    const proxy = this.scenario.cluster?.proxies.find((one) => one.node === node)?.name ?? '';
    const known = this.rulesByNode.get(node) ?? rulesOf(this.reader, proxy);
    this.rulesByNode.set(node, known);
    return known;
  }

  /** Backends of the Service in the rules of a node, before or after what happens at that very instant. */
  backendsAt(node: string, at: number, isAfter = true): ReadonlySet<string> {
    const last = this.rules(node).findLast(
      (version) => version.service === SERVICE && (isAfter ? version.at <= at : version.at < at),
    );
    return new Set(last?.frontends.flatMap(({ backends }) => backends) ?? []);
  }

  /** Addresses that the API server ever had of a Pod. */
  private addressesOf({ identity }: PodInput): ReadonlySet<string> {
    return new Set(
      this.reader.versionsOf(apiPodKey(identity)).flatMap(({ index }) => {
        const { status } = this.json(index) as { readonly status?: { readonly podIP?: string } };
        return status?.podIP ?? [];
      }),
    );
  }

  /** Where the slices have a Pod. */
  endpointAt({ uid }: PodInput, at: number): SliceState {
    const { steps = [] } = endpointHistoryOf(this.reader, uid, SERVICE, null) ?? {};
    return steps.findLast((step) => step.at <= at)?.state ?? 'absent';
  }

  /** Whether the rules of a node send connections to a Pod. */
  holds(node: string, pod: PodInput, at: number): boolean {
    const addresses = this.addressesOf(pod);
    return [...this.backendsAt(node, at)].some((backend) => addresses.has(backend.replace(/:\d+$/, '')));
  }
}
