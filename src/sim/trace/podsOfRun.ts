import type { Micros } from '../../base/units.ts';
import type { Labels } from '../api/objects.ts';
import type { PodTemplate } from '../api/workloadObjects.ts';
import type { PodInput, Scenario } from '../scenario.ts';
import { apiPodKey } from './podObject.ts';
import type { TraceReader } from './reader.ts';
import type { FinishedRun } from './run.ts';

/** What a question about a run may need; its scenario names every Pod of the run, those that controllers made too. */
export function finishedRun(scenario: Scenario, reader: TraceReader): FinishedRun {
  const made = podsMade(scenario, reader);
  return { scenario: made.length === 0 ? scenario : { ...scenario, pods: [...scenario.pods, ...made] }, reader };
}

/** The Pods that controllers made, in order of creation; `node` is '' for one that was never bound. */
function podsMade(scenario: Scenario, reader: TraceReader): readonly PodInput[] {
  if (!scenario.cluster?.workloads) return [];
  const templates = new Map(templatesOf(scenario).map((template) => [template.identity, template]));
  const nodes = new Map<string, string>();
  for (const { pod, node } of reader.subjects) if (pod !== '' && node !== '' && !nodes.has(pod)) nodes.set(pod, node);
  const { special } = scenario.cluster.workloads;
  const identities = new Set(reader.subjects.map(({ pod }) => pod));
  const made = [...identities].flatMap((identity): PodInput[] => {
    const template = templates.get(identity.slice(0, Math.max(0, identity.lastIndexOf('/'))));
    const first = reader.versionsOf(apiPodKey(identity))[0];
    if (!template || !first) return [];
    const { metadata } = JSON.parse(reader.versionText(first.index)) as { readonly metadata: Named };
    const { name, namespace, uid, labels = {} } = metadata;
    const own = { identity, namespace, name, uid, labels, node: nodes.get(identity) ?? '' };
    return [{ ...template.pod, ...special[identity], ...own, owner: null, createdAt: first.since as Micros }];
  });
  return made.toSorted((a, b) => a.createdAt - b.createdAt);
}

interface Named {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly labels?: Labels;
}

/** All templates that workloads have at some time. */
function templatesOf({ cluster }: Scenario): readonly PodTemplate[] {
  const written = (cluster?.writes ?? []).flatMap((write) => (write.do === 'create' ? [write.stored] : []));
  const stored = [...(cluster?.existing ?? []), ...written];
  const patches = (cluster?.workloads?.actions ?? []).flatMap((action) => (action.do === 'patch' ? [action.spec] : []));
  const specs = [...stored.map(({ object }) => ('spec' in object ? object.spec : {})), ...patches];
  return specs.flatMap((spec) => ('template' in spec ? [spec.template as PodTemplate] : []));
}
