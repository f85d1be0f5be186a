/** What a scenario may lack for an answer: then the model says so, and guesses nothing. */
import type { FinishedRun } from '../sim/trace/run.ts';
import { historyOf, slicesOf } from '../sim/trace/storedObjects.ts';
import { isHeadless } from './backendAt.ts';
import type { WhyQuestion } from './why.ts';

/**
 * `outside`: the instant lies before the start or after the end of the run. `noServices`: asked of none, for want of any
 * ('' as its name). `noService`: the run has no such Service.
 * `externalName`: it is one, and has neither slices nor rules (T-006). `noSlices`: it has no selector, and none are written by hand. `noProxies`: nothing
 * writes rules, on that node or on any.
 */
export type CannotTell = 'outside' | 'noServices' | 'noService' | 'externalName' | 'noSlices' | 'noProxies';

/** Null when the scenario has all that the question needs. */
export function cannotTell({ scenario, reader }: FinishedRun, { service, node, at }: WhyQuestion): CannotTell | null {
  if (at < 0 || at >= reader.data.horizon) return 'outside';
  if (service === '') return 'noServices';
  const [first] = historyOf(reader, 'services', service);
  const spec = first?.object?.spec;
  if (scenario.cluster === null || spec === undefined) return 'noService';
  if (spec.type === 'ExternalName') return 'externalName';
  if (spec.selector === undefined && slicesOf(reader, service).length === 0) return 'noSlices';
  if (isHeadless(reader, service)) return null;
  const { proxies } = scenario.cluster;
  return proxies.some((proxy) => node === null || proxy.node === node) ? null : 'noProxies';
}
