import { canonicalIp, isIpAddress } from '../../base/ipAddress.ts';
import type { ServiceManifest } from '../schema/service.ts';
import { didYouMean } from '../suggest.ts';
import { type Report, type Spot, within } from './report.ts';
import type { Workload } from './workload.ts';

/** A Service of the text, and where it stands. */
export interface FoundService {
  readonly manifest: ServiceManifest;
  readonly namespace: string;
  /** How many objects of the text were created before it. */
  readonly slot: number;
  readonly spot: Spot;
}

/**
 * Tells of Services that get no backends, or none for a port. In a cluster nothing says so: these are the usual reasons
 * why a ready Pod is no backend. `named`: `namespace/name` of Services that Endpoints or slices of the text speak of.
 */
export function checkServices(
  services: readonly FoundService[],
  workloads: readonly Workload[],
  named: ReadonlySet<string>,
  report: Report,
): void {
  for (const service of services) {
    const { manifest, namespace, spot } = service;
    const { name } = manifest.metadata;
    const { type, selector } = manifest.spec;
    tellDroppedAffinity(service, report);
    if (type === 'ExternalName') continue;
    if (selector === undefined) {
      if (named.has(`${namespace}/${name}`)) continue;
      report.add(
        'warning',
        within(spot, 'spec'),
        {
          message: `Service ${name} has no selector, and nobody writes Endpoints or slices for it: it never has a backend`,
          remedy: 'Add a selector with labels of the Pods, or an EndpointSlice with kubernetes.io/service-name.',
        },
        { at: 'key' },
      );
      continue;
    }
    const meant = workloads.filter(
      (workload) => workload.namespace === namespace && selectsAll(selector, workload.labels),
    );
    if (meant.length === 0) tellNoMatch(service, selector, workloads, report);
    else checkPorts(service, meant, report);
  }
}

/** SetDefaults_Service, pkg/apis/core/v1/defaults.go. */
function tellDroppedAffinity({ manifest: { spec }, spot }: FoundService, report: Report): void {
  if (spec.sessionAffinityConfig === undefined || spec.sessionAffinity === 'ClientIP') return;
  report.add('warning', within(spot, 'spec', 'sessionAffinityConfig'), {
    message: 'the API server drops sessionAffinityConfig where sessionAffinity is None',
    remedy: 'Write sessionAffinity: ClientIP if connections of one client are to go to one Pod.',
  });
}

/** Tells of addresses and node ports that another Service of the text has: the API server gives each out once. */
export function checkAllocations(services: readonly FoundService[], report: Report): void {
  const holders = new Map<string, string>();
  for (const { manifest, namespace, spot } of services) {
    const { name } = manifest.metadata;
    const own = `${namespace}/${name}`;
    const claim = (what: string, path: readonly (string | number)[]): void => {
      const holder = holders.get(what) ?? own;
      holders.set(what, holder);
      if (holder === own) return;
      report.add('error', within(spot, 'spec', ...path), {
        message: `${what} is already that of Service ${holder}`,
        remedy: 'Remove it: the API server chooses a free one.',
      });
    };
    const { clusterIP = '', clusterIPs = [], ports = [] } = manifest.spec;
    if (isIpAddress(clusterIP)) claim(canonicalIp(clusterIP), ['clusterIP']);
    clusterIPs.forEach((ip, i) => {
      if (isIpAddress(ip)) claim(canonicalIp(ip), ['clusterIPs', i]);
    });
    ports.forEach(({ nodePort }, i) => {
      if (nodePort) claim(`nodePort ${nodePort}`, ['ports', i, 'nodePort']);
    });
  }
}

const selectsAll = (selector: Readonly<Record<string, string>>, labels: Readonly<Record<string, string>>): boolean =>
  Object.entries(selector).every(([key, value]) => labels[key] === value);

function tellNoMatch(
  { manifest, namespace, spot }: FoundService,
  selector: Readonly<Record<string, string>>,
  workloads: readonly Workload[],
  report: Report,
): void {
  const { name } = manifest.metadata;
  const elsewhere = workloads.find((workload) => selectsAll(selector, workload.labels));
  const remedy =
    elsewhere === undefined
      ? nearestLabels(
          selector,
          workloads.filter((workload) => workload.namespace === namespace),
        )
      : `The Pods of ${elsewhere.kind} ${elsewhere.name} have these labels, but in namespace ${elsewhere.namespace}: a Service selects in its own.`;
  report.add(
    'warning',
    within(spot, 'spec', 'selector'),
    { message: `the selector of Service ${name} matches no Pod of this text: it has no backends`, remedy },
    { at: 'key' },
  );
}

/** The labels of the Pods that fit best. */
function nearestLabels(selector: Readonly<Record<string, string>>, workloads: readonly Workload[]): string {
  const fitting = ({ labels }: Workload): number =>
    Object.entries(selector).filter(([key, value]) => labels[key] === value).length;
  const [nearest] = workloads.toSorted((a, b) => fitting(b) - fitting(a));
  if (nearest === undefined) return 'Add the Pods that it is meant for.';
  const labels = Object.entries(nearest.labels).map(([key, value]) => `${key}: ${value}`);
  const has = labels.length === 0 ? 'no labels' : labels.join(', ');
  const where = nearest.kind === 'Pod' ? 'metadata.labels' : 'spec.template.metadata.labels';
  return `The Pods of ${nearest.kind} ${nearest.name} have ${has} (${where}).`;
}

/** Named ports are looked up in each Pod; numbers are taken as they are (C-121). */
function checkPorts({ manifest, spot }: FoundService, workloads: readonly Workload[], report: Report): void {
  manifest.spec.ports?.forEach(({ targetPort, port, protocol = 'TCP' }, i) => {
    if (typeof targetPort !== 'string') return;
    for (const workload of workloads) {
      const declared = portsOf(workload);
      if (declared.some((one) => one.name === targetPort && one.protocol === protocol)) continue;
      const names = declared.map(({ name }) => name).filter((name) => name !== '');
      const other = declared.find(({ name }) => name === targetPort);
      const remedy =
        other === undefined
          ? names.length > 0
            ? didYouMean(targetPort, names)
            : `Name the port in the container: ports: [{name: ${targetPort}, containerPort: ${port}}].`
          : `The container's port ${targetPort} is ${other.protocol}, this one is ${protocol}.`;
      report.add('warning', within(spot, 'spec', 'ports', i, 'targetPort'), {
        message: `no container of ${workload.kind} ${workload.name} has a port named ${targetPort}: its Pods get no traffic on port ${port}`,
        remedy,
      });
    }
  });
}

/** Ports that Services can name: of the containers, then of the sidecars. */
const portsOf = ({ containers, initContainers }: Workload) =>
  [...containers, ...initContainers.filter(({ role }) => role === 'sidecar')].flatMap(({ ports }) => ports);
