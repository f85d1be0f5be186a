import { type DeploymentObject, type ReplicaSetObject, WORKLOAD } from '../../api/workloadObjects.ts';
import { annotationsOf } from './revisions.ts';
import { newSetSize } from './sizes.ts';

const NO_STATUS: ReplicaSetObject['status'] = {
  observedGeneration: 0,
  replicas: 0,
  fullyLabeledReplicas: 0,
  readyReplicas: 0,
  availableReplicas: 0,
  terminatingReplicas: null,
  conditions: [],
};

/** The set of the Deployment's present template, as it is created beside the old ones (getNewReplicaSet). */
export function newSetOf(
  deployment: DeploymentObject,
  old: readonly ReplicaSetObject[],
  revision: number,
): ReplicaSetObject {
  const { meta, spec } = deployment;
  const hashed = { [WORKLOAD.podTemplateHash]: spec.template.hash };
  return {
    meta: {
      ...meta,
      name: `${meta.name}-${spec.template.hash}`,
      generateName: '',
      uid: '',
      resourceVersion: 0,
      generation: 0,
      creationTimestamp: 0,
      labels: { ...spec.template.labels, ...hashed },
      annotations: annotationsOf(deployment, {}, revision, false),
      ownerUid: meta.uid,
      ownerName: `Deployment/${meta.name}`,
    },
    spec: {
      replicas: newSetSize(deployment, old, 0),
      minReadySeconds: spec.minReadySeconds,
      selector: { ...spec.selector, ...hashed },
      template: { ...spec.template, labels: { ...spec.template.labels, ...hashed } },
    },
    status: NO_STATUS,
  };
}
