import { MICROS_PER_MS } from '../../base/units.ts';

/** Objects are created one after another, as kubectl apply does; so are the Pods of a workload. */
export const CREATE_INTERVAL_US = 20 * MICROS_PER_MS;
