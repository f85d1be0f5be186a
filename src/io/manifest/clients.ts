import type { ClientNumber } from '../clusterSettings.ts';
import type { ClientEntry } from '../schema/client.ts';
import type { ScenarioDocument } from '../schema/scenarioDocument.ts';
import type { FoundService } from './serviceChecks.ts';
import type { Workload } from './workload.ts';

/** A client of the text, or one that each Service has where the text says nothing. */
export interface NamedClient {
  readonly name: string;
  readonly entry: ClientEntry;
  /** Place in `clients`; null for one that the text does not name. */
  readonly index: number | null;
}

interface Text {
  readonly services: readonly FoundService[];
  readonly workloads: readonly Workload[];
  readonly scenario: Pick<ScenarioDocument, 'clients' | 'podsWithoutKubelet'> | null;
}

/**
 * The clients: those of the text; without a list of them, one for each Service with a cluster IP that selects a Pod
 * which a kubelet runs.
 */
export function clientsOf({ services, workloads, scenario }: Text): readonly NamedClient[] {
  const listed = scenario?.clients;
  if (listed) {
    return listed.map((entry, index) => ({ name: nameOf(entry), entry, index }));
  }
  const asked = services.filter((service) => isAsked(service, workloads, scenario?.podsWithoutKubelet ?? []));
  const names = asked.map(({ manifest }) => manifest.metadata.name);
  return asked.map(({ manifest, namespace }) => {
    const service = manifest.metadata.name;
    const isUnique = names.indexOf(service) === names.lastIndexOf(service);
    const name = isUnique ? service : `${service}.${namespace}`;
    return { name, entry: { to: { service, namespace } }, index: null };
  });
}

/** A name is one step of a setting's path: it has no slash. */
const nameOf = ({ name, to }: ClientEntry): string => name ?? to.service ?? (to.pod ?? '').replaceAll('/', '.');

function isAsked(
  { manifest: { spec }, namespace }: FoundService,
  workloads: readonly Workload[],
  withoutKubelet: readonly string[],
): boolean {
  const { selector, type, clusterIP } = spec;
  if (selector === undefined || type === 'ExternalName' || clusterIP === 'None') return false;
  return workloads.some(
    (workload) =>
      workload.namespace === namespace &&
      !withoutKubelet.includes(workload.name) &&
      Object.entries(selector).every(([key, value]) => workload.labels[key] === value),
  );
}

/** Path of a client's setting. */
export const clientSetting = (name: string, field: ClientNumber): string => `clients/${name}/${field}`;
