import { randomCluster } from '../support/randomCluster.ts';
import { CLUSTER_INVARIANTS } from './clusterInvariants/index.ts';
import { ClusterObservation } from './clusterObservation.ts';
import { describeInvariants } from './describeInvariants.ts';

describeInvariants(CLUSTER_INVARIANTS, randomCluster, (scenario) => new ClusterObservation(scenario));
