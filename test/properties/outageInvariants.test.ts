import { randomOutages } from '../support/randomOutages.ts';
import { describeInvariants } from './describeInvariants.ts';
import { OUTAGE_INVARIANTS } from './outageInvariants.ts';
import { WorkloadObservation } from './workloadObservation.ts';

describeInvariants({ 'lost nodes': OUTAGE_INVARIANTS }, randomOutages, (scenario) => new WorkloadObservation(scenario));
