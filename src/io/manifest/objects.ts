import { SCENARIO_API_VERSION } from '../schema/scenarioDocument.ts';
import { suggest } from '../suggest.ts';
import type { SourceDocument } from '../yaml/source.ts';
import { lineOf, type Report, type Spot, within } from './report.ts';

/** An object of the text whose kind this product reads. */
export interface ManifestObject {
  readonly kind: ReadKind;
  readonly value: Readonly<Record<string, unknown>>;
  readonly spot: Spot;
}
/** An object as the lists of used and ignored ones name it. */
export interface NamedObject {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly line: number;
}

const API_VERSIONS = {
  Pod: 'v1',
  Service: 'v1',
  Node: 'v1',
  Endpoints: 'v1',
  EndpointSlice: 'discovery.k8s.io/v1',
  Deployment: 'apps/v1',
  ReplicaSet: 'apps/v1',
  StatefulSet: 'apps/v1',
  DaemonSet: 'apps/v1',
  PodDisruptionBudget: 'policy/v1',
  Scenario: SCENARIO_API_VERSION,
} as const;
export type ReadKind = keyof typeof API_VERSIONS;
const READ_KINDS = Object.keys(API_VERSIONS) as ReadKind[];

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Name of an object for lists, whatever it holds. */
export function nameOf(kind: string, value: Readonly<Record<string, unknown>>, spot: Spot): NamedObject {
  const metadata = isRecord(value.metadata) ? value.metadata : {};
  return {
    kind,
    namespace: String(metadata.namespace ?? 'default'),
    name: String(metadata.name ?? metadata.generateName ?? ''),
    line: lineOf(within(spot, 'kind')),
  };
}

/** The objects of all documents in order, Lists unpacked. Other kinds go to `ignored`; what is no object is reported. */
export function readObjects(
  documents: readonly SourceDocument[],
  report: Report,
): { objects: ManifestObject[]; ignored: NamedObject[] } {
  const objects: ManifestObject[] = [];
  const ignored: NamedObject[] = [];
  const take = (value: unknown, spot: Spot): void => {
    if (!isRecord(value)) {
      report.add('error', spot, { message: 'this is no Kubernetes object', remedy: 'Start with apiVersion and kind.' });
      return;
    }
    const kind = value.kind;
    if (typeof kind !== 'string' || kind === '') {
      report.add('error', spot, { message: 'kind is required', remedy: missingKindRemedy(value) });
    } else if (kind === 'List') {
      takeItems(value, spot);
    } else {
      takeObject(kind, value, spot);
    }
  };
  const takeItems = (value: Record<string, unknown>, spot: Spot): void => {
    const items = value.items ?? [];
    if (Array.isArray(items)) {
      for (const [i, item] of items.entries()) take(item, within(spot, 'items', i));
    } else
      report.add('error', within(spot, 'items'), {
        message: 'items must be a list',
        remedy: 'Put a dash before each object.',
      });
  };
  const takeObject = (kind: string, value: Record<string, unknown>, spot: Spot): void => {
    const known = READ_KINDS.find((name) => name === kind);
    if (known && belongs(known, value.apiVersion)) {
      tellProse(spot, report);
      if (rightVersion(known, value.apiVersion, spot, report)) objects.push({ kind: known, value, spot });
      return;
    }
    const object = nameOf(kind, value, spot);
    ignored.push(object);
    const near = suggest(kind, READ_KINDS);
    report.add(near ? 'warning' : 'note', within(spot, 'kind'), {
      message: `${kind} ${object.name} is ignored: this kind is not part of the model`,
      remedy: near && !known ? `Did you mean kind: ${near}?` : null,
    });
  };
  for (const doc of documents) take(doc.value, { doc, path: [] });
  return { objects, ignored };
}

/** A line of prose that ends in a colon is a field without a value; fields are single words. */
function tellProse({ doc, path }: Spot, report: Report): void {
  for (const key of path.length === 0 ? doc.emptyKeys : []) {
    if (!/\s/.test(key)) continue;
    const complaint = { message: `unknown field ${key}`, remedy: 'Remove the line.' };
    report.add('error', { doc, path: [key] }, complaint, { at: 'key' });
  }
}

function missingKindRemedy(value: Record<string, unknown>): string {
  const isFragment =
    'image' in value || 'containers' in value || Object.keys(value).some((key) => key.endsWith('Probe'));
  return isFragment
    ? 'This looks like a part of a Pod. Put it below spec.containers of a Pod or of a template, and add apiVersion and kind.'
    : 'Add apiVersion and kind, such as apiVersion: apps/v1 and kind: Deployment.';
}

/** False for a kind of the same name in someone else's group, such as Knative's Service. */
const belongs = (kind: ReadKind, apiVersion: unknown): boolean =>
  API_VERSIONS[kind].includes('.') ||
  kind === 'Scenario' ||
  typeof apiVersion !== 'string' ||
  !apiVersion.split('/')[0]?.includes('.');

function rightVersion(kind: ReadKind, apiVersion: unknown, spot: Spot, report: Report): boolean {
  const wanted = API_VERSIONS[kind];
  if (apiVersion === wanted) return true;
  const message =
    apiVersion === undefined ? 'apiVersion is required' : `there is no ${kind} in apiVersion ${String(apiVersion)}`;
  report.add('error', within(spot, 'apiVersion'), { message, remedy: `Write apiVersion: ${wanted}.` });
  return false;
}
