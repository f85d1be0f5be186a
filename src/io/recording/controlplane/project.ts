import type { TraceEvent, TraceReader } from '../../../sim/trace/reader.ts';
import type { RecordedEvent } from '../event.ts';
import type { Placed } from './placed.ts';
import { ApiProjection } from './projectApi.ts';
import { ControllerProjection } from './projectController.ts';
import { ProxyProjection, withoutMoved } from './projectProxy.ts';

/**
 * A trace in the schema of `traces/controlplane`, from the very start and with nothing left out; resource versions and
 * generated names are the run's own. `dualStack`: proxies that serve both families.
 */
export function projectControlPlane(reader: TraceReader, dualStack: ReadonlySet<string>): readonly RecordedEvent[] {
  const api = new ApiProjection(reader);
  const controllers = new ControllerProjection(reader.data.wallClock);
  const proxies = new ProxyProjection(reader, dualStack);
  const project = (event: TraceEvent): readonly Placed[] => {
    switch (event.kind) {
      case 'action':
        return api.action(event);
      case 'apiWrite':
        return api.write(event);
      case 'stored':
        return api.stored(event);
      case 'watchList':
        return api.list(event);
      case 'watchEvent':
        return api.deliver(event);
      case 'queueAddAfter':
      case 'queueAdd':
      case 'queueGet':
      case 'queueDone':
      case 'podSynced':
      case 'controllerSync':
      case 'endpointsCompared':
      case 'queueRetry':
      case 'queueDropped':
      case 'mirrorCleanup':
      case 'controllerLog':
      case 'controllerEvent':
        return controllers.project(event);
      case 'proxyChange':
      case 'proxySync':
      case 'rulesChanged':
      case 'proxySyncFailed':
      case 'proxyError':
      case 'proxyNotInitialised':
      case 'proxyTopology':
      case 'deleteStaleChains':
      case 'conntrackList':
      case 'conntrackDelete':
      case 'healthCheck':
        return proxies.project(event);
      default:
        return [];
    }
  };
  const all: (Placed & { readonly made: number })[] = [];
  // In the order in which the run wrote them: nothing here repeats within a row.
  for (let row = 0; row < reader.data.rows; row++)
    for (const one of project(reader.event({ row, ordinal: 0 }))) all.push({ ...one, made: all.length });
  const events = all
    .filter(({ event }) => event.t < reader.data.horizon)
    .sort((a, b) => a.event.t - b.event.t || a.rank - b.rank || a.made - b.made)
    .map(({ event }) => event);
  return withoutMoved(events);
}
