import type { Invariant } from '../invariant.ts';
import type { PathObservation } from '../pathObservation.ts';
import { BUDGET_INVARIANTS } from './budgets.ts';
import { REQUEST_INVARIANTS } from './requests.ts';
import { WHY_INVARIANTS } from './why.ts';

/** All invariants of whole paths and of what is said about them. */
export const PATH_INVARIANTS: Readonly<Record<string, readonly Invariant<PathObservation>[]>> = {
  requests: REQUEST_INVARIANTS,
  'critical paths': BUDGET_INVARIANTS,
  'why a Pod is a backend': WHY_INVARIANTS,
};
