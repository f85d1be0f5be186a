import { FEATURE_GATES, type FeatureGate, HOOK_NAMES, PROBE_KINDS } from '../../sim/scenario.ts';
import type { Issue, Range } from '../issue.ts';
import type { ParsedText } from '../manifest/parse.ts';
import { allContainers, type Workload, type WorkloadContainer } from '../manifest/workload.ts';
import { KUBERNETES, type Settings } from '../settings.ts';

/** Something that a text uses, and that Kubernetes has only from a version on. */
interface Use {
  readonly since: number;
  readonly range: Range;
  /** Begins the message. */
  readonly what: string;
  /** What an older version does. */
  readonly older: string;
}

const DROPPED = 'the API server drops it';

/** Warnings about what the chosen version does not know: an older API server drops such fields without a word. */
export function versionChecks(parsed: ParsedText, settings: Settings): Issue[] {
  const minor = settings.get(KUBERNETES)?.value ?? Number.POSITIVE_INFINITY;
  const uses = [
    ...parsed.workloads.flatMap((workload) =>
      allContainers(workload).flatMap((container) => usesOf(workload, container, parsed, settings)),
    ),
    ...parsed.services.flatMap(usesOfService),
    ...usesOfGates(parsed),
  ];
  return uses
    .filter(({ since }) => minor < since)
    .map(({ since, range, what, older }) => ({
      severity: 'warning',
      ...range,
      path: '',
      setting: null,
      message: `${what} is there from Kubernetes 1.${since} on; in 1.${minor} ${older}`,
      remedy: `Choose 1.${since} or newer, or remove it.`,
    }));
}

function usesOf(workload: Workload, container: WorkloadContainer, parsed: ParsedText, settings: Settings): Use[] {
  const path = `${workload.path}/${container.name}`;
  const range = parsed.placeOf(path);
  const { name, role, restart, hooks, probes } = container;
  const use = (since: number, what: string, older: string): Use => ({ since, range, what, older });
  const uses: Use[] = [];
  if (role === 'sidecar') uses.push(use(29, `the sidecar ${name}`, 'it is an init container that has to end'));
  if (restart !== null && role !== 'sidecar') uses.push(use(35, `restartPolicy of container ${name}`, DROPPED));
  if (restart?.rules.some(({ action }) => action === 'RestartAllContainers'))
    uses.push(use(36, `RestartAllContainers of container ${name}`, 'nothing restarts all containers'));
  for (const hook of HOOK_NAMES)
    if (hooks[hook]?.type === 'sleep') uses.push(use(30, `the sleep action of ${hook} of ${name}`, DROPPED));
  for (const kind of PROBE_KINDS) {
    if (probes[kind]?.type === 'grpc') uses.push(use(24, `the grpc ${kind} probe of ${name}`, 'it is refused'));
    if (settings.get(`${path}/${kind}/terminationGracePeriodSeconds`)?.from === 'manifest')
      uses.push(use(25, `terminationGracePeriodSeconds of the ${kind} probe of ${name}`, 'it does not count'));
  }
  return uses;
}

function usesOfService({ manifest, spot }: ParsedText['services'][number]): Use[] {
  const { trafficDistribution, internalTrafficPolicy, ipFamilyPolicy = 'SingleStack' } = manifest.spec;
  const range = (field: string): Range => spot.doc.locate([...spot.path, 'spec', field]);
  const uses: Use[] = [];
  if (trafficDistribution !== undefined)
    uses.push({
      since: trafficDistribution === 'PreferClose' ? 31 : 34,
      range: range('trafficDistribution'),
      what: `trafficDistribution ${trafficDistribution}`,
      older: 'it does not count',
    });
  if (ipFamilyPolicy !== 'SingleStack')
    uses.push({
      since: 21,
      range: range('ipFamilyPolicy'),
      what: `ipFamilyPolicy ${ipFamilyPolicy}`,
      older: 'dual stack is off by default: it is simulated all the same',
    });
  if (internalTrafficPolicy === 'Local')
    uses.push({
      since: 22,
      range: range('internalTrafficPolicy'),
      what: 'internalTrafficPolicy',
      older: 'it does not count',
    });
  return uses;
}

function usesOfGates({ scenario, placeInScenario }: ParsedText): Use[] {
  const given = scenario?.kubelet?.featureGates ?? {};
  const gates = (Object.keys(FEATURE_GATES) as FeatureGate[]).filter((gate) => given[gate] === true);
  const uses: Use[] = gates.map((gate) => ({
    since: FEATURE_GATES[gate],
    range: placeInScenario(['kubelet', 'featureGates', gate]),
    what: `the gate ${gate}, as it is modelled,`,
    older: 'it does nothing here',
  }));
  if (scenario?.kubelet?.crashLoopBackOff?.maxContainerRestartPeriod !== undefined)
    uses.push({
      since: 35,
      range: placeInScenario(['kubelet', 'crashLoopBackOff', 'maxContainerRestartPeriod']),
      what: 'maxContainerRestartPeriod',
      older: 'the longest wait is 5 minutes',
    });
  if (scenario?.kubeProxy?.mode === 'nftables')
    uses.push({
      since: 31,
      range: placeInScenario(['kubeProxy', 'mode']),
      what: 'the nftables mode',
      older: 'kube-proxy has it behind a gate at most: it is simulated all the same',
    });
  return uses;
}
