import type { Path, Severity } from '../issue.ts';
import type { ParsedText } from '../manifest/parse.ts';
import type { ClientEntry, Way } from '../schema/client.ts';
import { didYouMean } from '../suggest.ts';
import { wayOf } from './clients.ts';
import { nodesOf, type PlacedPod, podsMeant } from './placedPods.ts';

/** What is wrong with an entry of `clients`, and where in it. */
export interface ClientProblem {
  readonly severity: Severity;
  readonly path: Path;
  readonly message: string;
  readonly remedy: string;
}

/** What the clients say about objects that the text does not have, or not so. `end` of the run, s. */
export function clientProblems(parsed: ParsedText, pods: readonly PlacedPod[], end: number): ClientProblem[] {
  const { clients } = parsed;
  const names = clients.map(({ name }) => name);
  return clients.flatMap(({ name, entry, index }) => {
    if (index === null) return [];
    const found = [
      ...(names.indexOf(name) < index ? [sameName(name)] : []),
      ...sourceProblems(entry, parsed, pods),
      ...(entry.to.pod === undefined ? serviceProblems(entry, parsed) : podProblems('to', entry.to.pod, pods)),
      ...startProblems(entry, end),
    ];
    return found.map((problem) => ({ ...problem, path: ['clients', index, ...problem.path] }));
  });
}

const error = (path: Path, message: string, remedy: string): ClientProblem => ({
  severity: 'error',
  path,
  message,
  remedy,
});

const sameName = (name: string): ClientProblem =>
  error(['name'], `two clients are called ${name}`, `Give one of them another name, such as name: ${name}-2.`);

const noNode = (path: Path, node: string, nodes: readonly string[]): ClientProblem[] =>
  nodes.includes(node) ? [] : [error(path, `there is no node ${node} in this text`, didYouMean(node, nodes))];

function sourceProblems({ from, to }: ClientEntry, parsed: ParsedText, pods: readonly PlacedPod[]): ClientProblem[] {
  const nodes = nodesOf(parsed);
  return [
    ...(from?.node === undefined ? [] : noNode(['from', 'node'], from.node, nodes)),
    ...(to.node === undefined ? [] : noNode(['to', 'node'], to.node, nodes)),
    ...(from?.pod === undefined ? [] : podProblems('from', from.pod, pods)),
  ];
}

function podProblems(field: 'from' | 'to', pod: string, pods: readonly PlacedPod[]): ClientProblem[] {
  if (podsMeant({ pod }, pods).length > 0) return [];
  const names = pods.map(({ name }) => name);
  return [error([field, 'pod'], `there is no Pod ${pod} in this text`, didYouMean(pod, names))];
}

function serviceProblems(entry: ClientEntry, { services }: ParsedText): ClientProblem[] {
  const { service: name = '', namespace, port } = entry.to;
  const there = services.filter((candidate) => (namespace ?? candidate.namespace) === candidate.namespace);
  const found = there.find(({ manifest }) => manifest.metadata.name === name);
  if (!found) {
    const names = there.map(({ manifest }) => manifest.metadata.name);
    const remedy = names.length > 0 ? didYouMean(name, names) : 'Add the Service, or ask a Pod: to: {pod: …, port: …}.';
    return [error(['to', 'service'], `there is no Service ${name} in this text`, remedy)];
  }
  const { type = 'ClusterIP', clusterIP, ports = [] } = found.manifest.spec;
  if (type === 'ExternalName')
    return [
      error(
        ['to', 'service'],
        `Service ${name} leads out of the cluster, where nothing is simulated`,
        'Ask another one.',
      ),
    ];
  if (ports.length === 0)
    return [error(['to', 'service'], `Service ${name} has no port`, 'Add ports to it, such as - port: 80.')];
  if (port !== undefined && !ports.some((one) => one.port === port || one.name === port)) {
    const known = ports.map((one) => one.name ?? String(one.port));
    return [error(['to', 'port'], `Service ${name} has no port ${port}`, didYouMean(String(port), known))];
  }
  return [...wayProblems(entry, name, type, clusterIP), ...idleFields(entry, wayOf(entry, type, clusterIP))];
}

/** Ways of which only some Services know, and only some places. */
function wayProblems(entry: ClientEntry, name: string, type: string, clusterIP: string | undefined): ClientProblem[] {
  const way = wayOf(entry, type, clusterIP);
  const path = entry.to.via === undefined ? ['to'] : ['to', 'via'];
  const isHeadless = clusterIP === 'None';
  if (way === 'nodePort' && type !== 'NodePort' && type !== 'LoadBalancer')
    return [
      error(path, `Service ${name} has no node port`, 'Write type: NodePort in the Service, or ask it from a node.'),
    ];
  if (way === 'loadBalancer' && type !== 'LoadBalancer')
    return [error(path, `Service ${name} has no load balancer`, 'Write type: LoadBalancer in the Service.')];
  if (way === 'clusterIP' && isHeadless)
    return [error(path, `Service ${name} is headless: it has no cluster IP`, 'Write via: dns.')];
  if (way === 'dns' && !isHeadless)
    return [
      error(
        path,
        `the name of Service ${name} leads to its cluster IP`,
        'Write via: clusterIP, or clusterIP: None in the Service.',
      ),
    ];
  if (way === 'clusterIP' && entry.from?.outside)
    return [error(path, 'a cluster IP is not reached from outside', 'Write via: nodePort.')];
  const isFromOutside = way === 'nodePort' || way === 'loadBalancer';
  if (isFromOutside && entry.from !== undefined && !entry.from.outside)
    return [error(['from'], `via ${way} is for clients from outside`, 'Write from: {outside: true}.')];
  return [];
}

/** Fields that only one way heeds. */
function idleFields({ to, dns, loadBalancer }: ClientEntry, way: Way): ClientProblem[] {
  const fields: readonly (readonly [path: Path, value: unknown, of: Way])[] = [
    [['to', 'node'], to.node, 'nodePort'],
    [['to', 'hostname'], to.hostname, 'dns'],
    [['to', 'lag'], to.lag, 'endpointSlices'],
    [['dns'], dns, 'dns'],
    [['loadBalancer'], loadBalancer, 'loadBalancer'],
  ];
  return fields
    .filter(([, value, of]) => value !== undefined && of !== way)
    .map(([path, , of]) => ({
      severity: 'warning',
      path,
      message: `${path.at(-1)} is for via: ${of}, and this client goes via ${way}: nothing heeds it`,
      remedy: `Remove it, or write via: ${of}.`,
    }));
}

const startProblems = ({ start = 0 }: ClientEntry, end: number): ClientProblem[] =>
  start < end
    ? []
    : [
        {
          severity: 'warning',
          path: ['start'],
          message: `the run ends at ${end} s, before this`,
          remedy: 'Raise duration, or begin earlier.',
        },
      ];
