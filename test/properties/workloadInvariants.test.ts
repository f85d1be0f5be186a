import { randomWorkloads } from '../support/randomWorkloads.ts';
import { describeInvariants } from './describeInvariants.ts';
import { WORKLOAD_INVARIANTS } from './workloadInvariants/index.ts';
import { WorkloadObservation } from './workloadObservation.ts';

describeInvariants(WORKLOAD_INVARIANTS, randomWorkloads, (scenario) => new WorkloadObservation(scenario));
