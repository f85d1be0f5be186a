import { randomRollouts } from '../support/randomRollouts.ts';
import { describeInvariants, RUNS } from './describeInvariants.ts';
import { ROLLOUT_INVARIANTS } from './rolloutInvariants.ts';
import { WorkloadObservation } from './workloadObservation.ts';

describeInvariants(
  { rollouts: ROLLOUT_INVARIANTS },
  randomRollouts,
  (scenario) => new WorkloadObservation(scenario),
  Math.ceil(RUNS / 6),
);
