import type { Scenario } from '../sim/scenario.ts';
import { buildScenario } from './build/buildScenario.ts';
import { hasCluster } from './build/cluster.ts';
import { crossChecks } from './build/crossChecks.ts';
import { defaultDuration } from './build/duration.ts';
import { podCount } from './build/placedPods.ts';
import { compareIssues, type Issue } from './issue.ts';
import type { NotModelled } from './manifest/notModelled.ts';
import type { NamedObject } from './manifest/objects.ts';
import { type ParsedText, parseText } from './manifest/parse.ts';
import type { Workload } from './manifest/workload.ts';
import { checkNumber, MOST_PODS, type Overrides, ruleOf, type Setting, type Settings, settingOf } from './settings.ts';

/** What a text and the sliders come to. */
export interface ReadResult {
  /** Null when any issue is an error. */
  readonly scenario: Scenario | null;
  /** Errors first, then by place. */
  readonly issues: readonly Issue[];
  /** What could be read, also beside errors: for sliders and provenance. */
  readonly model: Model;
  /** Objects of kinds that the product reads. */
  readonly used: readonly NamedObject[];
  /** Objects of other kinds. */
  readonly ignored: readonly NamedObject[];
  readonly notModelled: readonly NotModelled[];
  /** `metadata.name` of the Scenario document. */
  readonly title: string | null;
}
export interface Model {
  readonly workloads: readonly Workload[];
  /** Names of workloads whose Pods no kubelet runs. */
  readonly withoutKubelet: readonly string[];
  /** Names of the clients, as in the paths of their settings. */
  readonly clients: readonly string[];
  /** Whether controllers and proxies run. */
  readonly hasCluster: boolean;
  /** Every number of the simulation with its provenance. */
  readonly settings: Settings;
}

/**
 * Reads manifests and the optional `kind: Scenario` document, with the changes that sliders made.
 * Never throws for bad input: all that is wrong is in `issues`, each with place and remedy.
 */
export const readScenario = (text: string, overrides: Overrides = []): ReadResult =>
  applyOverrides(parseText(text), overrides);

/** The cheap part of `readScenario`: what a drag of a slider repeats on a text that was parsed once. */
export function applyOverrides(parsed: ParsedText, overrides: Overrides): ReadResult {
  const issues = [...parsed.issues];
  const settings = new Map(parsed.settings);
  for (const override of overrides) {
    const issue = apply(override, settings, parsed);
    if (issue) issues.push(issue);
  }
  const duration = settings.get('duration');
  if (duration?.value === null) {
    settings.set('duration', {
      ...duration,
      value: defaultDuration(parsed, settings),
    });
  }
  const crowd = tooManyPods(parsed, settings);
  if (crowd) issues.push(crowd);
  else issues.push(...crossChecks(parsed, settings));
  const isBroken = issues.some(({ severity }) => severity === 'error');
  return {
    scenario: isBroken ? null : buildScenario(parsed, settings),
    issues: issues.sort(compareIssues),
    model: {
      workloads: parsed.workloads,
      withoutKubelet: parsed.scenario?.podsWithoutKubelet ?? [],
      clients: parsed.clients.map(({ name }) => name),
      hasCluster: hasCluster(parsed),
      settings,
    },
    used: parsed.used,
    ignored: parsed.ignored,
    notModelled: parsed.notModelled,
    title: parsed.scenario?.metadata?.name ?? null,
  };
}

/** Puts one override into `settings`; what is wrong with it comes back. */
function apply({ path, value }: Overrides[number], settings: Map<string, Setting>, parsed: ParsedText): Issue | null {
  const rule = ruleOf(path);
  const about = { ...parsed.placeOf(path), path, setting: path };
  if (!rule || !settings.has(path)) {
    return {
      severity: 'warning',
      ...about,
      message: `the slider setting ${path} fits nothing in the text any more`,
      remedy: 'Reset it, or give the object its former name.',
    };
  }
  const name = path.split('/').at(-1) ?? path;
  settings.set(path, settingOf(rule, value, 'slider', null));
  const complaint = checkNumber(name, rule, value);
  return complaint && { severity: 'error', ...about, ...complaint };
}

function tooManyPods({ workloads, nodes, placeOf }: ParsedText, settings: Settings): Issue | null {
  const counts = workloads.map((workload) => podCount(workload, settings, Math.max(1, nodes.size)));
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total <= MOST_PODS) return null;
  const largest = workloads[counts.indexOf(Math.max(...counts))];
  const path = `${largest?.path}/replicas`;
  return {
    severity: 'error',
    ...placeOf(path),
    path,
    setting: path,
    message: `${total} Pods are more than the ${MOST_PODS} that can be simulated`,
    remedy: 'Lower replicas.',
  };
}
