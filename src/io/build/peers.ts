import type { PeersInput } from '../../sim/clientInput.ts';
import type { ContainerInput } from '../../sim/scenario.ts';
import type { Path } from '../issue.ts';
import type { ParsedText } from '../manifest/parse.ts';
import type { FoundService } from '../manifest/serviceChecks.ts';
import type { Handler } from '../manifest/workload.ts';
import type { App } from '../schema/app.ts';
import { didYouMean } from '../suggest.ts';
import { answerOf } from './answers.ts';
import { dnsInput } from './dns.ts';

type Services = Pick<ParsedText, 'services'>['services'];

/** The peers of an app in `namespace`; null when it looks for none. */
export function peersOf(app: App | null, namespace: string, services: Services): PeersInput | null {
  const { needs } = app ?? {};
  const found = needs && serviceOf(needs, namespace, services);
  if (!needs || !found) return null;
  const { metadata, spec } = found.manifest;
  return {
    port: { service: `${found.namespace}/${metadata.name}`, port: spec.ports?.[0]?.name ?? '' },
    dns: dnsInput({ name: metadata.name, namespace: found.namespace }, needs.dns),
    addresses: needs.addresses,
  };
}

/** What a container answers to its readiness probe while its app lacks peers. */
export function needsOf(
  peers: PeersInput | null,
  handler: Handler | null,
  takes: number,
): Pick<ContainerInput, 'needs'> {
  if (!peers || !handler) return {};
  return { needs: { peers, answer: answerOf({ kind: 'fail', status: 503, takes }, handler, 1) } };
}

const serviceOf = (
  { service, namespace: own }: NonNullable<App['needs']>,
  namespace: string,
  services: Services,
): FoundService | undefined =>
  services.find(({ manifest, namespace: at }) => manifest.metadata.name === service && at === (own ?? namespace));

/** What is wrong with the peers of an app, and where in its entry. */
export function peersProblem(
  app: App,
  { services, workloads }: Pick<ParsedText, 'services' | 'workloads'>,
): { readonly path: Path; readonly message: string; readonly remedy: string } | null {
  const { needs } = app;
  if (!needs) return null;
  const path = ['needs', 'service'];
  const namespace =
    app.namespace ?? workloads.find(({ name }) => name === (app.workload ?? name))?.namespace ?? 'default';
  const found = serviceOf(needs, namespace, services);
  if (!found) {
    const names = services.map(({ manifest }) => manifest.metadata.name);
    if (names.includes(needs.service))
      return {
        path,
        message: `Service ${needs.service} is not in namespace ${needs.namespace ?? namespace}`,
        remedy: 'Write the namespace beside service.',
      };
    return {
      path,
      message: `there is no Service ${needs.service} in this text`,
      remedy: didYouMean(needs.service, names),
    };
  }
  if (found.manifest.spec.clusterIP === 'None') return null;
  return {
    path,
    message: `Service ${needs.service} is not headless: its name leads to one address, whoever is behind it`,
    remedy: 'Write clusterIP: None in the Service, or name another one.',
  };
}
