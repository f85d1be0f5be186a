import type { AfterSync, ModeContext, ProxiedService } from './mode.ts';

/**
 * Keeps what the health-check node ports answer: 200 while at least one ready endpoint is on this node, else 503, as of the
 * last sync that was applied (P-060), by Service in `statuses`. Writes an event where the answer changes.
 * Source: pkg/proxy/healthcheck/service_health.go, SyncServices, SyncEndpoints; pkg/proxy/endpointschangetracker.go,
 * LocalReadyEndpoints.
 */
export function healthChecks({ cluster, input, subject }: ModeContext, statuses: Map<string, number>): AfterSync {
  const { kernel, trace } = cluster;
  const answers = new Map<string, string>();
  return ({ written }, ref) => {
    for (const service of written) {
      const port = service.ports.find(({ healthCheckNodePort }) => healthCheckNodePort !== 0)?.healthCheckNodePort;
      if (port === undefined) {
        answers.delete(service.key);
        statuses.delete(service.key);
        continue;
      }
      const localEndpoints = readyOn(input.node, service);
      const answer = `${port} ${localEndpoints}`;
      if (answers.get(service.key) === answer) continue;
      answers.set(service.key, answer);
      const httpStatus = localEndpoints > 0 ? 200 : 503;
      statuses.set(service.key, httpStatus);
      trace.event('healthCheck', kernel.now, subject, { service: service.key, port, localEndpoints, httpStatus }, [
        ref,
      ]);
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
