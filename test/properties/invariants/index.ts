import type { Invariant } from '../invariant.ts';
import { CONTAINER_INVARIANTS } from './containers.ts';
import { POD_WORKER_INVARIANTS } from './podWorkers.ts';
import { PROBE_INVARIANTS } from './probes.ts';
import { RESULT_INVARIANTS } from './results.ts';
import { STATUS_INVARIANTS } from './status.ts';
import { TRACE_INVARIANTS } from './trace.ts';

/** All invariants, by what they are about. */
export const INVARIANTS: Readonly<Record<string, readonly Invariant[]>> = {
  'probe workers': PROBE_INVARIANTS,
  'probe results': RESULT_INVARIANTS,
  'syncLoop and pod workers': POD_WORKER_INVARIANTS,
  containers: CONTAINER_INVARIANTS,
  'status manager': STATUS_INVARIANTS,
  'the trace': TRACE_INVARIANTS,
};
