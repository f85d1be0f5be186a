import * as z from 'zod';
import type { Scenario } from '../../sim/scenario.ts';
import { NOTHING_GIVEN, WORKLOAD_CONTROLLERS } from '../../sim/workloadsInput.ts';
import { checkControlPlane } from './controlplane/check.ts';
import { controlPlaneRecording } from './controlplane/recording.ts';
import { controlPlaneScenario, missingParts } from './controlplane/toScenario.ts';
import { checkEndToEnd } from './endtoend/check.ts';
import { endToEndRecording } from './endtoend/recording.ts';
import { endToEndScenario, missingInWholePath } from './endtoend/toScenario.ts';
import { checkKubelet } from './kubelet/check.ts';
import { kubeletRecording } from './kubelet/recording.ts';
import { missingFeatures, recordingToScenario } from './kubelet/toScenario.ts';
import type { Play, Verdict } from './verdict.ts';
import { checkWorkloads } from './workloads/check.ts';
import { missingInWorkloads } from './workloads/missing.ts';
import { workloadsRecording } from './workloads/recording.ts';
import { workloadsScenario } from './workloads/toScenario.ts';

/** A recording of any folder. */
export interface ReadRecording {
  readonly name: string;
  readonly kubernetes: string;
  /** What it needs that the model does not have, in words; without it nothing below may be called. */
  readonly missing: readonly string[];
  /** The scenario that it played; `pinned`: with its draws. */
  readonly scenario: (pinned: boolean) => Scenario;
  /** Simulates that scenario and compares all that the recording shows. */
  readonly check: (play: Play) => Verdict;
}

/** Reads parsed JSON; `problems` are `place: what is wrong`. */
export function readRecording(json: unknown): ReadRecording | { readonly problems: readonly string[] } {
  const folder = folderOf(json);
  if (typeof folder === 'object') return notModelled(folder.missing);
  return { kubelet: readKubelet, controlplane: readControlPlane, workloads: readWorkloads, endtoend: readEndToEnd }[
    folder
  ](json);
}

interface Folder<T> {
  readonly schema: z.ZodType<T>;
  readonly missing: (recording: T) => readonly string[];
  readonly scenario: (recording: T, pinned: boolean) => Scenario;
  readonly check: (recording: T, play: Play) => Verdict;
}

const reader =
  <T extends { readonly name: string; readonly kubernetes: string }>({ schema, missing, scenario, check }: Folder<T>) =>
  (json: unknown): ReturnType<typeof readRecording> => {
    const { success, data, error } = schema.safeParse(json);
    if (!success)
      return { problems: error.issues.map(({ path, message }) => `${path.join('.') || 'the file'}: ${message}`) };
    return {
      name: data.name,
      kubernetes: data.kubernetes,
      missing: missing(data),
      scenario: (pinned) => scenario(data, pinned),
      check: (play) => check(data, play),
    };
  };

const readKubelet = reader({
  schema: kubeletRecording,
  missing: missingFeatures,
  scenario: recordingToScenario,
  check: checkKubelet,
});
const readControlPlane = reader({
  schema: controlPlaneRecording,
  missing: missingParts,
  scenario: controlPlaneScenario,
  check: checkControlPlane,
});

const readWorkloads = reader({
  schema: workloadsRecording,
  missing: missingInWorkloads,
  scenario: (recording) => workloadsScenario(recording, NOTHING_GIVEN),
  check: checkWorkloads,
});

const readEndToEnd = reader({
  schema: endToEndRecording,
  missing: missingInWholePath,
  scenario: endToEndScenario,
  check: checkEndToEnd,
});

/** What tells the folders apart: the components that ran; some hold cases or rows instead of a run. */
const anyRecording = z.object({
  components: z.array(z.string()).default([]),
  topic: z.string().optional(),
  cases: z.array(z.unknown()).optional(),
  rows: z.array(z.unknown()).optional(),
});
/** The kubelet's packages, and this product's own recordings. */
const isKubelet = (component: string): boolean => /^(?:pkg\/|podtopool)/.test(component);
const isControlPlane = (component: string): boolean => /^(?:endpoint|kube-proxy\/)/.test(component);

const isWorkload = (component: string): boolean => WORKLOAD_CONTROLLERS.some((one) => one === component);

/** The folder of a recording, or what it needs that is not modelled, in its own words. */
function folderOf(
  json: unknown,
): 'kubelet' | 'controlplane' | 'workloads' | 'endtoend' | { readonly missing: readonly string[] } {
  const { success, data } = anyRecording.safeParse(json);
  if (!success) return 'kubelet';
  if (data.cases) return { missing: [`cases of ${data.topic ?? 'another kind'}`] };
  if (data.rows) return { missing: ['rows without a run'] };
  const { components } = data;
  if (components.every(isKubelet)) return 'kubelet';
  if (components.every(isControlPlane)) return 'controlplane';
  if (components.every(isWorkload)) return 'workloads';
  if (components.every((one) => isKubelet(one) || isControlPlane(one))) return 'endtoend';
  const known = components.some(isKubelet) ? isKubelet : isControlPlane;
  return { missing: components.filter((component) => !known(component)) };
}

/** A recording of which nothing but its needs is known. */
function notModelled(missing: readonly string[]): ReadRecording {
  const refuse = (): never => {
    throw new Error(`not modelled yet: ${missing.join(', ')}`);
  };
  return { name: '', kubernetes: '', missing, scenario: refuse, check: refuse };
}
