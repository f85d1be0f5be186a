import type { Ref } from '../trace/ref.ts';
import type { AfterSync, ModeContext, ProxiedService } from './mode.ts';

/** What a health check node port answers: 200 or 503, since the event `ref`. */
export interface HealthAnswer {
  readonly httpStatus: number;
  readonly ref: Ref;
}

/**
 * Keeps what the health-check node ports answer: 200 while at least one ready endpoint is on this node, else 503, as of the
 * last sync that was applied (P-060), by Service in `known`. Writes an event where the answer changes.
 * Source: pkg/proxy/healthcheck/service_health.go, SyncServices, SyncEndpoints; pkg/proxy/endpointschangetracker.go,
 * LocalReadyEndpoints.
 */
export function healthChecks({ cluster, input, subject }: ModeContext, known: Map<string, HealthAnswer>): AfterSync {
  const { kernel, trace } = cluster;
  const answers = new Map<string, string>();
  return ({ written }, ref) => {
    for (const service of written) {
      const port = service.ports.find(({ healthCheckNodePort }) => healthCheckNodePort !== 0)?.healthCheckNodePort;
      if (port === undefined) {
        answers.delete(service.key);
        known.delete(service.key);
        continue;
      }
      const localEndpoints = readyOn(input.node, service);
      const answer = `${port} ${localEndpoints}`;
      if (answers.get(service.key) === answer) continue;
      answers.set(service.key, answer);
      const httpStatus = localEndpoints > 0 ? 200 : 503;
      const payload = { service: service.key, port, localEndpoints, httpStatus };
      known.set(service.key, { httpStatus, ref: trace.event('healthCheck', kernel.now, subject, payload, [ref]) });
    }
  };
}

/** Ready endpoints of any port on a node, by IP. */
function readyOn(node: string, { endpoints }: ProxiedService): number {
  const ips = new Set<string>();
  for (const list of endpoints.values()) {
    for (const { ip, node: at, ready } of list) if (ready && at === node) ips.add(ip);
  }
  return ips.size;
}
