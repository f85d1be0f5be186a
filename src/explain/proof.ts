/** Commands that show in a real cluster what a link of the chain says here. */
import type { ProxyMode } from '../sim/clusterInput.ts';
import type { PodInput } from '../sim/scenario.ts';
import type { CannotTell } from './cannotTell.ts';
import type { LeftOut } from './leftOut.ts';
import type { LinkKind } from './why.ts';

/** Whom the command is about. `service` is `namespace/name`, `node` the client's, '' for any. */
export interface ProofSubject {
  readonly pod: Pick<PodInput, 'name' | 'namespace' | 'node'>;
  readonly service: string;
  readonly container: string;
  /** What the link says in its own terms. */
  readonly value: string;
  readonly node: string;
  /** How the rules are written there. */
  readonly mode: ProxyMode;
  /** Labels that the Service selects by; null when nothing is known of them. */
  readonly selector: Readonly<Record<string, string>> | null;
}

/** On a node. */
const SHOWS_RULES: Readonly<Record<ProxyMode, (service: string) => string>> = {
  iptables: (service) => `iptables-save -t nat | grep ${service}`,
  nftables: (service) => `nft list ruleset | grep -A 9 ${service}`,
  ipvs: () => 'ipvsadm -Ln',
  ebpf: () => 'bpftool map list',
};

/** Shows why no link of the chain is the reason, where none is. */
export function proofOfReason(reason: LeftOut | CannotTell, { pod, service }: ProofSubject): string | null {
  const name = service.slice(service.indexOf('/') + 1);
  const shows = (path: string): string => `kubectl get service ${name} -n ${pod.namespace} -o jsonpath='{${path}}'`;
  switch (reason) {
    case 'noServices':
      return `kubectl get services -n ${pod.namespace} -o wide`;
    case 'otherProxy':
      return shows('.metadata.labels');
    case 'local':
      return shows('.spec.internalTrafficPolicy');
    case 'noFrontend':
      return shows('.spec.clusterIPs');
    case 'externalName':
      return shows('.spec.externalName');
    case 'noSlices':
      return shows('.spec.selector');
    case 'hints':
    case 'noPort':
      return `kubectl get endpointslices -l kubernetes.io/service-name=${name} -n ${pod.namespace} -o yaml`;
    default:
      return null;
  }
}

/** One line to paste into a terminal. */
export function proofOf(
  kind: LinkKind,
  { pod, service, container, value, node, mode, selector }: ProofSubject,
): string {
  const { name, namespace } = pod;
  const get = `kubectl get pod ${name} -n ${namespace}`;
  const serviceName = service.slice(service.indexOf('/') + 1);
  switch (kind) {
    case 'exists':
      return get;
    case 'kept':
      return `${get} -o jsonpath='{.metadata.deletionTimestamp}'`;
    case 'scheduled':
      return `kubectl describe pod ${name} -n ${namespace}`;
    case 'node':
      return `kubectl describe node ${pod.node}`;
    case 'address':
      return `${get} -o jsonpath='{.status.podIPs}'`;
    case 'selected': {
      const labels = Object.entries(selector ?? {}).map(([key, value]) => `${key}=${value}`);
      return labels.length === 0
        ? `kubectl get service ${serviceName} -n ${namespace} -o jsonpath='{.spec.selector}'`
        : `kubectl get pods -l ${labels.join(',')} -n ${namespace}`;
    }
    // One that has never run has no log.
    case 'init':
    case 'app':
      return value === 'waiting'
        ? `kubectl describe pod ${name} -n ${namespace}`
        : `kubectl logs ${name} -c ${container} -n ${namespace}`;
    case 'probe':
      return `kubectl describe pod ${name} -n ${namespace}`;
    case 'kubelet':
      return `kubectl get --raw "/api/v1/nodes/${pod.node}/proxy/logs/?query=kubelet&pattern=${name}"`;
    case 'gate':
    case 'api':
      return `${get} -o jsonpath='{.status.conditions}'`;
    case 'slice':
      return `kubectl get endpointslices -l kubernetes.io/service-name=${serviceName} -n ${namespace} -o yaml`;
    case 'rules': {
      const shown = SHOWS_RULES[mode](service);
      return node === ''
        ? shown
        : `kubectl debug node/${node} -it --profile=sysadmin --image=busybox -- chroot /host ${shown}`;
    }
    case 'request':
      return `kubectl run ask --rm -it --restart=Never --image=busybox -n ${namespace} -- wget -qO- -T 2 http://${serviceName}`;
  }
}
