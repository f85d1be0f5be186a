import { MICROS_PER_SECOND, type MicrosSpan } from '../../base/units.ts';
import type { Serve } from '../../sim/scenario.ts';
import type { Outage } from '../schema/app.ts';

/** When what a connection meets changes: [µs, what it meets from then on], in order. */
export type Serves = readonly (readonly [number, Serve])[];

/** What of a run decides about connections. */
interface Behaviour {
  readonly outages: readonly Outage[];
  /** An answer usually takes, µs. */
  readonly takes: number;
}

const microsOf = (value: number): number => Math.round(value * MICROS_PER_SECOND);
const STATUS_DEFAULT = 503;

/** A probe that cannot be carried out is no affair of the app's clients. */
export const isSeenByClients = ({ probes, clients, answer }: Outage): boolean =>
  answer !== 'error' && (clients ?? probes === undefined);

/** From the start of a run on: refused until `readyAt`, µs. */
export function servesOf({ outages, takes }: Behaviour, readyAt: number): Serves {
  const seen = outages.filter(isSeenByClients);
  return inOrder([0, readyAt, ...edges(seen)]).map((at) => [
    at,
    at < readyAt && !seen.some((outage) => isIn(outage, at)) ? refusal(takes) : serveAt(seen, at, takes),
  ]);
}

/** What a hook or signal brings: nothing before the first of `outages`, good answers between and after them. */
export function servesAfter({ outages, takes }: Behaviour): Serves {
  const seen = outages.filter(isSeenByClients);
  return inOrder(edges(seen)).map((at) => [at, serveAt(seen, at, takes)]);
}

const inOrder = (instants: readonly number[]): number[] => [...new Set(instants)].sort((a, b) => a - b);
const edges = (outages: readonly Outage[]): number[] =>
  outages.flatMap(({ from, to }) => [microsOf(from), ...(to === undefined ? [] : [microsOf(to)])]);
const isIn = ({ from, to }: Outage, at: number): boolean =>
  microsOf(from) <= at && (to === undefined || at < microsOf(to));

/** A request that is open when the port closes is still answered. */
const refusal = (takes: number): Serve => ({ state: 'refuse', code: 200, takes: takes as MicrosSpan });

/** The later of two outages counts: one of a port or path after one of all is an exception to it. */
function serveAt(outages: readonly Outage[], at: number, usually: number): Serve {
  const now = outages.filter((outage) => isIn(outage, at));
  const ofAll = now.findLastIndex(({ port, path }) => port === undefined && path === undefined);
  const all = now[ofAll];
  const own: Serve = all ? served(all, usually) : { state: 'answer', code: 200, takes: usually as MicrosSpan };
  const except = now
    .slice(ofAll + 1)
    .map((outage) => ({ port: outage.port ?? null, path: outage.path ?? null, serve: served(outage, usually) }));
  return except.length === 0 ? own : { ...own, except };
}

/** What the requests that notice the outage meet; `usually` an answer takes so long, µs. */
export function served({ answer, status = STATUS_DEFAULT, takes }: Outage, usually: number): Serve {
  const length = (takes === undefined ? usually : microsOf(takes)) as MicrosSpan;
  if (answer === 'refuse') return refusal(length);
  if (answer === 'hang') return { state: 'hang', code: 0, takes: length };
  return { state: 'answer', code: answer === 'slow' ? 200 : answer === 'redirect' ? 302 : status, takes: length };
}
