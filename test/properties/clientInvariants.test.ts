import { randomClients } from '../support/randomClients.ts';
import { CLIENT_INVARIANTS } from './clientInvariants.ts';
import { ClientObservation } from './clientObservation.ts';
import { describeInvariants, RUNS } from './describeInvariants.ts';

/** Each of these runs is read from a text and simulated three times. */
const SHARE = 5;

describeInvariants(
  { clients: CLIENT_INVARIANTS },
  randomClients,
  (scenario) => new ClientObservation(scenario),
  Math.ceil(RUNS / SHARE),
);
