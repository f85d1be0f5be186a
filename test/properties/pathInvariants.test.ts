import { randomPaths } from '../support/randomPaths.ts';
import { describeInvariants, RUNS } from './describeInvariants.ts';
import { PATH_INVARIANTS } from './pathInvariants/index.ts';
import { PathObservation } from './pathObservation.ts';

// A run with all its questions takes as long as four of the others.
describeInvariants(PATH_INVARIANTS, randomPaths, (scenario) => new PathObservation(scenario), Math.ceil(RUNS / 4));
