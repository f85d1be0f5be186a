import { tolerates } from '../../sim/api/objects.ts';
import type { ParsedText } from '../manifest/parse.ts';
import type { Workload } from '../manifest/workload.ts';
import type { Settings } from '../settings.ts';
import { displayName, identityOf, staticName } from './names.ts';

const DEFAULT_NODE = 'node-a';

/** A Pod by its names, on its node. */
export interface PlacedPod {
  readonly workload: Workload;
  readonly ordinal: number;
  readonly identity: string;
  readonly name: string;
  readonly node: string;
  readonly isStatic: boolean;
  /** False: it is there from the start, and only actions change it. */
  readonly hasKubelet: boolean;
}

/** The Node documents, and nodes that Pods name. */
export function nodesOf({ nodes, workloads }: ParsedText): string[] {
  const all = new Set(nodes.keys());
  for (const { nodeName } of workloads) if (nodeName !== null) all.add(nodeName);
  return all.size > 0 ? [...all] : [DEFAULT_NODE];
}

/** How many Pods a workload has: a DaemonSet one for each node, a bare Pod is one. */
export function podCount(workload: Workload, settings: Settings, nodes: number): number {
  if (workload.kind === 'Pod') return 1;
  return workload.kind === 'DaemonSet' ? nodes : (settings.get(`${workload.path}/replicas`)?.value ?? 1);
}

/** Nodes of the text that take a bare Pod: not cordoned, and without taints that it does not tolerate. */
export const nodesFor = ({ tolerations }: Workload, { nodes }: ParsedText, names: readonly string[]): string[] =>
  names.filter((name) => {
    const { unschedulable, taints = [] } = nodes.get(name)?.spec ?? {};
    const repels = ({ key, value = '', effect }: (typeof taints)[number]): boolean =>
      effect !== 'PreferNoSchedule' && !tolerates(tolerations, { key, value, effect, timeAdded: null });
    return !unschedulable && !taints.some(repels);
  });

/** Every Pod of the text, in order of creation. Pods without a nodeName go in turn to the nodes that take them, and to any where none does. */
export function placedPods(parsed: ParsedText, settings: Settings): PlacedPod[] {
  const nodes = nodesOf(parsed);
  const listed = parsed.scenario?.staticPods ?? [];
  const scripted = parsed.scenario?.podsWithoutKubelet ?? [];
  let turn = 0;
  return parsed.workloads.flatMap((workload) => {
    const hasKubelet = !scripted.includes(workload.name);
    const isStatic = workload.kind === 'Pod' && listed.includes(workload.name);
    return Array.from({ length: podCount(workload, settings, nodes.length) }, (_, ordinal) => {
      const place = workload.kind === 'DaemonSet' ? ordinal : workload.nodeName === null ? turn++ : 0;
      const taking = workload.kind === 'Pod' ? nodesFor(workload, parsed, nodes) : [];
      const among = taking.length > 0 ? taking : nodes;
      const node = workload.nodeName ?? among[place % among.length] ?? DEFAULT_NODE;
      const name = displayName(workload, ordinal);
      const identity = identityOf(workload, ordinal);
      return {
        workload,
        ordinal,
        identity,
        name: isStatic ? staticName(name, node) : name,
        node,
        isStatic,
        hasKubelet,
      };
    });
  });
}

/** Whom an entry of the Scenario document names. */
interface Named {
  readonly pod?: string | undefined;
  readonly workload?: string | undefined;
  readonly namespace?: string | undefined;
}

/** Whether an entry is about that workload, as far as it names one. */
export const meantWorkload = ({ workload, namespace }: Named, candidate: Workload): boolean =>
  (namespace ?? candidate.namespace) === candidate.namespace && (workload ?? candidate.name) === candidate.name;

/** The Pods that an entry is about. */
export const podsMeant = (entry: Named, pods: readonly PlacedPod[]): PlacedPod[] =>
  pods.filter(
    (candidate) =>
      meantWorkload(entry, candidate.workload) && (entry.pod === undefined || namesOf(candidate).includes(entry.pod)),
  );

/** By what a Pod may be called; a static Pod also by the name in its file. */
export const namesOf = ({ name, identity, workload, isStatic }: PlacedPod): readonly string[] => [
  name,
  identity,
  ...(isStatic ? [workload.name] : []),
];
