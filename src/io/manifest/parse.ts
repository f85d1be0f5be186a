import type { Issue, Path, Range } from '../issue.ts';
import type { NodeManifest } from '../schema/endpoints.ts';
import type { ScenarioDocument } from '../schema/scenarioDocument.ts';
import type { Settings } from '../settings.ts';
import { readSource } from '../yaml/source.ts';
import { clientsOf, type NamedClient } from './clients.ts';
import type { NotModelled } from './notModelled.ts';
import { type FoundBudget, type FoundEndpoints, ObjectReader } from './objectReader.ts';
import { type NamedObject, readObjects } from './objects.ts';
import { Report, TEXT_START } from './report.ts';
import { readScenarioSettings } from './scenarioSettings.ts';
import type { FoundService } from './serviceChecks.ts';
import type { Workload } from './workload.ts';

/** A text that was read once; sliders are applied to it again and again (readScenario.ts). */
export interface ParsedText {
  readonly issues: readonly Issue[];
  readonly used: readonly NamedObject[];
  readonly ignored: readonly NamedObject[];
  readonly notModelled: readonly NotModelled[];
  readonly workloads: readonly Workload[];
  /** Node manifests by name. */
  readonly nodes: ReadonlyMap<string, NodeManifest>;
  readonly services: readonly FoundService[];
  readonly endpoints: readonly FoundEndpoints[];
  readonly budgets: readonly FoundBudget[];
  readonly scenario: ScenarioDocument | null;
  readonly clients: readonly NamedClient[];
  readonly settings: Settings;
  /** Where the text gives a setting, or would. */
  placeOf(path: string): Range;
  /** Where `path` of the Scenario document stands: the value, or its key where it is a map. */
  placeInScenario(path: Path): Range;
}

/** Reads manifests and the Scenario document. All that is wrong is in `issues`; what is right is read all the same. */
export function parseText(text: string): ParsedText {
  const report = new Report();
  const source = readSource(text);
  report.issues.push(...source.issues);
  const { objects, ignored } = readObjects(source.documents, report);
  const reader = new ObjectReader(report);
  for (const object of objects) reader.take(object);
  reader.finish();
  const scenario = reader.scenario?.value ?? null;
  const clients = clientsOf({ services: reader.services, workloads: reader.workloads, scenario });
  readScenarioSettings(reader.scenario, reader.workloads, clients, reader.settings, report);
  if (
    reader.workloads.length === 0 &&
    reader.services.length === 0 &&
    !report.issues.some(({ severity }) => severity === 'error')
  ) {
    const message =
      source.documents.length === 0 ? 'the text holds no Kubernetes object' : 'there is no Pod to simulate';
    report.addGeneral('error', message, 'Paste a Pod, Deployment, ReplicaSet, StatefulSet or DaemonSet.');
  }
  const { settings, places } = reader.settings;
  return {
    issues: report.issues,
    used: reader.used,
    ignored,
    notModelled: reader.notModelled.entries.toSorted((a, b) => a.line - b.line),
    workloads: reader.workloads,
    nodes: reader.nodes,
    services: reader.services,
    endpoints: reader.endpoints,
    budgets: reader.budgets,
    scenario,
    clients,
    settings,
    placeOf: (path) => places.get(path)?.() ?? TEXT_START,
    placeInScenario: (path) => {
      const spot = reader.scenario?.spot;
      return spot ? spot.doc.locate([...spot.path, ...path]) : TEXT_START;
    },
  };
}
