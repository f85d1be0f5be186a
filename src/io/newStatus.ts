import type {
  DaemonSetObject,
  DeploymentObject,
  PodDisruptionBudgetObject,
  ReplicaSetObject,
  StatefulSetObject,
} from '../sim/api/workloadObjects.ts';

const NO_COUNTS = { observedGeneration: 0, replicas: 0, readyReplicas: 0, availableReplicas: 0 };

/** Statuses of objects that no controller has looked at yet, as the API server first stores them. */
export const NEW_DEPLOYMENT_STATUS: DeploymentObject['status'] = {
  ...NO_COUNTS,
  updatedReplicas: 0,
  unavailableReplicas: 0,
  terminatingReplicas: null,
  conditions: [],
};
export const NEW_REPLICA_SET_STATUS: ReplicaSetObject['status'] = {
  ...NO_COUNTS,
  fullyLabeledReplicas: 0,
  terminatingReplicas: null,
  conditions: [],
};
export const NEW_STATEFUL_SET_STATUS: StatefulSetObject['status'] = {
  ...NO_COUNTS,
  currentReplicas: 0,
  updatedReplicas: 0,
  currentRevision: '',
  updateRevision: '',
  collisionCount: 0,
};
export const NEW_DAEMON_SET_STATUS: DaemonSetObject['status'] = {
  observedGeneration: 0,
  currentNumberScheduled: 0,
  numberMisscheduled: 0,
  desiredNumberScheduled: 0,
  numberReady: 0,
  updatedNumberScheduled: 0,
  numberAvailable: 0,
  numberUnavailable: 0,
};
export const NEW_BUDGET_STATUS: PodDisruptionBudgetObject['status'] = {
  observedGeneration: 0,
  disruptionsAllowed: 0,
  currentHealthy: 0,
  desiredHealthy: 0,
  expectedPods: 0,
  disruptedPods: {},
  conditions: [],
};
