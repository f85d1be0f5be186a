import { MICROS_PER_MS } from '../../../base/units.ts';
import { WORKLOAD } from '../../../sim/api/workloadObjects.ts';

/** Objects of the trace (kubectl's form) as the recordings of `traces/workloads` summarise them. */
type Json = Readonly<Record<string, unknown>>;
export type Summary = Readonly<Record<string, unknown>>;

interface Meta {
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly uid?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly ownerReferences?: readonly { readonly kind: string; readonly name: string }[];
}
interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastUpdateTime?: string;
  readonly lastTransitionTime?: string;
  readonly lastHeartbeatTime?: string;
}

const object = (value: unknown): Json => (value ?? {}) as Json;
const conditionsOf = (status: Json): readonly Condition[] => (status.conditions ?? []) as readonly Condition[];

/** Summarises objects; `epoch`: wall clock at t = 0, µs since 1970. */
export class ObjectSummaries {
  private readonly epoch: number;

  constructor(epoch: number) {
    this.epoch = epoch;
  }

  of(resource: string, json: unknown): Summary {
    const { metadata, spec, status } = json as { metadata: Meta; spec?: Json; status?: Json };
    const given = { meta: metadata, spec: object(spec), status: object(status) };
    switch (resource) {
      case 'deployments':
        return this.deployment(given);
      case 'replicasets':
        return this.replicaSet(given);
      case 'statefulsets':
        return this.statefulSet(given);
      case 'daemonsets':
        return this.daemonSet(given);
      case 'pods':
        return this.pod(given);
      case 'nodes':
        return this.node(given);
      case 'poddisruptionbudgets':
        return this.budget(given);
      case 'controllerrevisions':
        return { revision: (json as { revision: number }).revision };
      default:
        return {};
    }
  }

  private deployment({ meta, spec, status }: Parts): Summary {
    const strategy = object(spec.strategy);
    const rolling = object(strategy.rollingUpdate);
    const revision = meta.annotations?.[WORKLOAD.revision];
    return {
      generation: meta.generation,
      image: imageOf(spec),
      replicas: spec.replicas,
      strategy: strategy.type,
      ...defined({ maxSurge: asText(rolling.maxSurge), maxUnavailable: asText(rolling.maxUnavailable) }),
      ...defined({ minReadySeconds: spec.minReadySeconds, paused: spec.paused, revision }),
      progressDeadlineSeconds: spec.progressDeadlineSeconds,
      status: withoutConditions(status),
      ...this.conditions(status),
    };
  }

  private replicaSet({ meta, spec, status }: Parts): Summary {
    const { annotations = {} } = meta;
    const { fullyLabeledReplicas: _labelled, ...counts } = withoutConditions(status);
    return {
      generation: meta.generation,
      image: imageOf(spec),
      replicas: spec.replicas,
      ...ownerOf(meta),
      ...defined({
        minReadySeconds: spec.minReadySeconds,
        revision: annotations[WORKLOAD.revision],
        revisionHistory: annotations[WORKLOAD.revisionHistory],
        desiredReplicas: annotations[WORKLOAD.desiredReplicas],
        maxReplicas: annotations[WORKLOAD.maxReplicas],
      }),
      status: counts,
      ...this.conditions(status),
    };
  }

  private statefulSet({ meta, spec, status }: Parts): Summary {
    const update = object(spec.updateStrategy);
    const rolling = object(update.rollingUpdate);
    return {
      generation: meta.generation,
      image: imageOf(spec),
      replicas: spec.replicas,
      podManagement: spec.podManagementPolicy,
      strategy: update.type,
      ...defined({ minReadySeconds: spec.minReadySeconds }),
      ...defined({ partition: rolling.partition, maxUnavailable: asText(rolling.maxUnavailable) }),
      status: withoutConditions(status),
    };
  }

  private daemonSet({ meta, spec, status }: Parts): Summary {
    const update = object(spec.updateStrategy);
    const rolling = object(update.rollingUpdate);
    return {
      generation: meta.generation,
      image: imageOf(spec),
      strategy: update.type,
      ...defined({ minReadySeconds: spec.minReadySeconds }),
      ...defined({ maxSurge: asText(rolling.maxSurge), maxUnavailable: asText(rolling.maxUnavailable) }),
      status: withoutConditions(status),
    };
  }

  private pod({ meta, spec, status }: Parts): Summary {
    const { labels = {}, annotations = {} } = meta;
    const conditions = conditionsOf(status);
    const ready = conditions.find(({ type }) => type === 'Ready');
    const containersReady = conditions.find(({ type }) => type === 'ContainersReady');
    const target = conditions.find(({ type }) => type === 'DisruptionTarget');
    return {
      createdUs: this.micros(meta.creationTimestamp),
      image: imageOf({ template: { spec } }),
      phase: status.phase,
      uid: meta.uid,
      ...ownerOf(meta),
      ...defined({
        revision: labels[WORKLOAD.podTemplateHash] ?? labels[WORKLOAD.controllerRevisionHash],
        node: spec.nodeName || undefined,
        target: spec.target,
        podIP: status.podIP,
        ready: ready && ready.status === 'True',
        readyTransitionUs: this.micros(ready?.lastTransitionTime),
        containersReady: containersReady && containersReady.status === 'True',
        deletionTimestampUs: this.micros(meta.deletionTimestamp),
        graceSeconds: meta.deletionGracePeriodSeconds,
        deletionCost: annotations[WORKLOAD.deletionCost],
        disruptionTarget: target && `${target.status} ${target.reason}`,
      }),
    };
  }

  private node({ meta, spec, status }: Parts): Summary {
    const ready = conditionsOf(status).find(({ type }) => type === 'Ready');
    const taints = (spec.taints ?? []) as readonly { key: string; effect: string; timeAdded?: string }[];
    return {
      ...defined({
        ready: ready && `${ready.status} ${ready.reason ?? ''}`.trim(),
        heartbeatUs: this.micros(ready?.lastHeartbeatTime),
        readyTransitionUs: this.micros(ready?.lastTransitionTime),
        unschedulable: spec.unschedulable,
        zone: meta.labels?.['topology.kubernetes.io/zone'],
      }),
      ...(taints.length > 0 && {
        taints: taints.map(({ key, effect, timeAdded }) => ({
          key,
          effect,
          ...defined({ addedUs: this.micros(timeAdded) }),
        })),
      }),
    };
  }

  private budget({ meta, spec, status }: Parts): Summary {
    const disrupted = status.disruptedPods as Readonly<Record<string, string>> | undefined;
    return {
      generation: meta.generation,
      ...defined({ minAvailable: asText(spec.minAvailable), maxUnavailable: asText(spec.maxUnavailable) }),
      status: { ...withoutConditions(status), ...(disrupted && { disruptedPods: this.times(disrupted) }) },
      ...this.conditions(status),
    };
  }

  private times(byName: Readonly<Record<string, string>>): Json {
    return Object.fromEntries(Object.entries(byName).map(([name, time]) => [name, this.micros(time)]));
  }

  private conditions(status: Json): Summary {
    return Object.fromEntries(
      conditionsOf(status).map(({ type, lastTransitionTime, lastUpdateTime, ...said }) => [
        `condition:${type}`,
        {
          ...said,
          ...defined({ transitionUs: this.micros(lastTransitionTime), updateUs: this.micros(lastUpdateTime) }),
        },
      ]),
    );
  }

  private micros(time: string | undefined): number | undefined {
    return time === undefined ? undefined : Date.parse(time) * MICROS_PER_MS - this.epoch;
  }
}

interface Parts {
  readonly meta: Meta;
  readonly spec: Json;
  readonly status: Json;
}

const ownerOf = ({ ownerReferences }: Meta): Summary => {
  const [owner] = ownerReferences ?? [];
  return owner ? { owner: `${owner.kind}/${owner.name}` } : {};
};
const imageOf = (spec: Json): unknown => {
  const { containers = [] } = object(object(spec.template).spec) as { containers?: readonly { image: string }[] };
  return containers[0]?.image;
};
const withoutConditions = ({ conditions: _conditions, ...rest }: Json): Json => rest;
const asText = (value: unknown): string | undefined => (value === undefined ? undefined : String(value));
const defined = (fields: Json): Json =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** The fields in which two summaries differ, with their new values; null where there is none any more. */
export const changedFields = (before: Summary, now: Summary): Summary =>
  Object.fromEntries(
    [...new Set([...Object.keys(before), ...Object.keys(now)])].flatMap((key) =>
      JSON.stringify(before[key]) === JSON.stringify(now[key]) ? [] : [[key, now[key] ?? null]],
    ),
  );
