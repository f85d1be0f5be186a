import * as z from 'zod';
import { WORKLOAD_CONTROLLERS } from '../../sim/workloadsInput.ts';
import { checkControlPlane } from './controlplane/check.ts';
import { controlPlaneRecording } from './controlplane/recording.ts';
import { checkKubelet } from './kubelet/check.ts';
import { kubeletRecording } from './kubelet/recording.ts';
import { notCompared, type Play, type Verdict } from './verdict.ts';
import { checkWorkloads } from './workloads/check.ts';
import { workloadsRecording } from './workloads/recording.ts';

/** Simulates what a recording played and compares all that it shows. `json` is the parsed file. */
export function checkRecording(json: unknown, play: Play): Verdict {
  const { components, missing } = contentOf(json);
  if (missing.length > 0) return notCompared(`not modelled yet: ${missing.join(', ')}`);
  if (components.some((component) => CONTROL_PLANE_COMPONENT.test(component)))
    return read(controlPlaneRecording, json, (recording) => checkControlPlane(recording, play));
  if (components.every(isWorkloadComponent) && components.length > 0)
    return read(workloadsRecording, json, (recording) => checkWorkloads(recording, play));
  return read(kubeletRecording, json, (recording) => checkKubelet(recording, play));
}

function read<T>(schema: z.ZodType<T>, json: unknown, check: (recording: T) => Verdict): Verdict {
  const { success, data, error } = schema.safeParse(json);
  if (success) return check(data);
  const [issue] = error.issues;
  return notCompared(`not a recording that is understood: ${issue?.path.join('.') || 'the file'}: ${issue?.message}`);
}

/** What tells the folders apart: the components that ran; some hold cases or rows instead of a run. */
const anyRecording = z.object({
  components: z.array(z.string()).default([]),
  topic: z.string().optional(),
  cases: z.array(z.unknown()).optional(),
  rows: z.array(z.unknown()).optional(),
});
/** The kubelet's packages, and this product's own recordings. */
const KUBELET_COMPONENT = /^(?:pkg\/|podtopool)/;
const CONTROL_PLANE_COMPONENT = /^(?:endpoint|kube-proxy\/)/;

const isWorkloadComponent = (component: string): boolean => WORKLOAD_CONTROLLERS.some((one) => one === component);

/** The components of a recording, and what it needs that is not modelled, in its own words. */
function contentOf(json: unknown): { readonly components: readonly string[]; readonly missing: readonly string[] } {
  const { success, data } = anyRecording.safeParse(json);
  if (!success) return { components: [], missing: [] };
  const { components } = data;
  if (data.cases) return { components, missing: [`cases of ${data.topic ?? 'another kind'}`] };
  if (data.rows) return { components, missing: ['rows without a run'] };
  const known = (component: string): boolean =>
    KUBELET_COMPONENT.test(component) || CONTROL_PLANE_COMPONENT.test(component) || isWorkloadComponent(component);
  return { components, missing: components.filter((component) => !known(component)) };
}
