import * as z from 'zod/mini';
import type { ConditionStatus } from '../../sim/api/objects.ts';
import type { ProbeKind } from '../../sim/scenario.ts';
import { POD_GRACE, PROBE_NUMBERS, type ProbeNumber, probeRule, REPLICAS } from '../settings.ts';
import { duration } from './duration.ts';
import { ruled } from './probe.ts';
import { optional, say, strict } from './strict.ts';

const POD_ACTIONS = [
  'deletePod',
  'evict',
  'evictPod',
  'crash',
  'patchCondition',
  'labelPod',
  'removeStaticPod',
  'setReady',
] as const;
const KUBELET_ACTIONS = ['restartKubelet', 'cutApi', 'cutNode', 'refuseWrites', 'cutPodNetwork'] as const;
/** What only controllers of nodes make something of. */
const LIFE_ACTIONS = ['drain', 'cordon', 'uncordon', 'stopNode', 'startNode', 'deleteNode'] as const;
const NODE_ACTIONS = [...KUBELET_ACTIONS, ...LIFE_ACTIONS, 'labelNode', 'nodeReady'] as const;
const WORKLOAD_ACTIONS = ['rollOut', 'scale', 'undo', 'pause', 'resume'] as const;
const SERVICE_ACTIONS = ['patchSelector', 'deleteService', 'deleteSlices', 'deleteEndpoints', 'touchSlice'] as const;
const ACTION_NAMES = [...POD_ACTIONS, ...WORKLOAD_ACTIONS, ...NODE_ACTIONS, ...SERVICE_ACTIONS] as const;
export type ActionName = (typeof ACTION_NAMES)[number];
export type LifeActionName = (typeof LIFE_ACTIONS)[number];
export type WorkloadActionName = (typeof WORKLOAD_ACTIONS)[number];
export type NodeActionName = (typeof NODE_ACTIONS)[number];
export type ServiceActionName = (typeof SERVICE_ACTIONS)[number];
export type PodActionName = (typeof POD_ACTIONS)[number];

/** Is that action about a node, not about a Pod? */
export const isNodeAction = (name: ActionName): name is NodeActionName => NODE_ACTIONS.some((one) => one === name);

/** Is it about what becomes of nodes? */
export const isLifeAction = (name: ActionName): name is LifeActionName => LIFE_ACTIONS.some((one) => one === name);

/** Is it about a workload, not about its Pods? */
export const isWorkloadAction = (name: ActionName): name is WorkloadActionName =>
  WORKLOAD_ACTIONS.some((one) => one === name);

/** Is it about a Service? */
export const isServiceAction = (name: ActionName): name is ServiceActionName =>
  SERVICE_ACTIONS.some((one) => one === name);

/** Fields of some actions only: whose they are, and whether those need them. */
const OWN_FIELDS = {
  graceSeconds: { of: ['deletePod', 'evictPod'], needed: false, remedy: '' },
  condition: { of: ['patchCondition'], needed: true, remedy: 'Add the type of a condition, such as a readiness gate.' },
  status: { of: ['patchCondition'], needed: true, remedy: "Add status: 'True' or status: 'False'." },
  node: { of: NODE_ACTIONS, needed: false, remedy: '' },
  service: { of: SERVICE_ACTIONS, needed: true, remedy: 'Add the name of the Service.' },
  labels: { of: ['labelPod', 'labelNode', 'patchSelector'], needed: false, remedy: '' },
  ready: { of: ['setReady', 'nodeReady'], needed: true, remedy: 'Add ready: true or ready: false.' },
  down: { of: ['restartKubelet'], needed: true, remedy: 'Add how long no kubelet runs, such as down: 8s.' },
  lasts: {
    of: ['cutApi', 'cutNode', 'refuseWrites', 'cutPodNetwork'],
    needed: true,
    remedy: 'Add how long it lasts, such as lasts: 30s.',
  },
  replicas: { of: ['scale'], needed: true, remedy: 'Add replicas, such as replicas: 5.' },
  toRevision: { of: ['undo'], needed: false, remedy: '' },
  image: { of: ['rollOut'], needed: false, remedy: '' },
  container: { of: ['rollOut', 'crash'], needed: false, remedy: '' },
  exitCode: { of: ['crash'], needed: false, remedy: '' },
  startupProbe: { of: ['rollOut'], needed: false, remedy: '' },
  readinessProbe: { of: ['rollOut'], needed: false, remedy: '' },
  livenessProbe: { of: ['rollOut'], needed: false, remedy: '' },
  terminationGracePeriodSeconds: { of: ['rollOut'], needed: false, remedy: '' },
} as const satisfies Readonly<Record<string, { of: readonly ActionName[]; needed: boolean; remedy: string }>>;
const FIELD_NAMES = Object.keys(OWN_FIELDS) as (keyof typeof OWN_FIELDS)[];
/** Fields that are maps: for the text alone. */
const MAPS = ['labels', 'startupProbe', 'readinessProbe', 'livenessProbe'] as const;
type MapField = (typeof MAPS)[number];
/** The fields of one value that only some actions have, of those that this one has. */
export const ownFieldsOf = (name: ActionName): readonly Exclude<keyof typeof OWN_FIELDS, MapField>[] =>
  FIELD_NAMES.filter((field): field is Exclude<typeof field, MapField> => !MAPS.some((map) => map === field)).filter(
    (field) => OWN_FIELDS[field].of.some((owner) => owner === name),
  );
const TARGETS = ['pod', 'workload', 'namespace'] as const;

/** YAML reads an unquoted True as a boolean. */
const status = z.pipe(
  z.union([z.enum(['True', 'False', 'Unknown']), z.boolean()], {
    error: say("status must be 'True', 'False' or 'Unknown'", "Write status: 'True' or status: 'False'."),
  }),
  z.transform((value): ConditionStatus => (typeof value === 'string' ? value : value ? 'True' : 'False')),
);

/** Numbers of a probe that a rollout changes. */
const changedProbe = (kind: ProbeKind) =>
  optional(
    strict(
      Object.fromEntries(
        PROBE_NUMBERS.map((field) => [field, optional(ruled(field, probeRule(kind, field)), `As in the manifest.`)]),
      ) as Record<ProbeNumber, z.ZodMiniOptional<ReturnType<typeof ruled>>>,
    ),
    `Of rollOut: numbers of the ${kind}Probe that the new revision has. The probe itself is that of the manifest.`,
  );

/** An entry of `actions`: when, what, and about whom. */
export const action = strict({
  at: duration.check(z.describe('When, since the start of the scenario.')),
  do: z
    .enum(ACTION_NAMES)
    .check(
      z.describe(
        'deletePod: as kubectl delete does. evict: the Eviction API, which asks the PodDisruptionBudget. evictPod: the kubelet ends the Pod, short of memory. crash: the process in a container ends by itself. patchCondition: another client writes a condition into the status, such as a readiness gate. ' +
          'labelPod: another client changes a label. removeStaticPod: the file of a static Pod disappears. restartKubelet: the process ends, and a new one starts. ' +
          'cutApi: the node does not reach the API server; its requests fail, and what others changed reaches it afterwards. refuseWrites: the API server answers what its kubelet writes with a conflict. cutNode: the node reaches nobody, and nobody reaches it. cutPodNetwork: the network of the node is not ready; no Pod can start. ' +
          'rollOut: a new revision of the template of a workload. scale: another number of replicas. undo: back to the revision before, as kubectl rollout undo. pause, resume: of a Deployment. ' +
          'drain: as kubectl drain does; cordon, uncordon. stopNode: its power goes off; startNode: it is back. deleteNode: the Node object goes. ' +
          'setReady: of a Pod without a kubelet. labelNode, nodeReady: another client changes a Node. ' +
          'patchSelector: another client gives a Service other labels to select by. deleteService, deleteSlices, deleteEndpoints: as kubectl delete does. touchSlice: somebody takes the first endpoint out of the first slice.',
      ),
    ),
  pod: optional(z.string(), 'One Pod: its name (web-0) or its identity (default/web#1/0).'),
  workload: optional(
    z.string(),
    'Each Pod of a workload, or a bare Pod, instead of pod; of rollOut, scale, undo, pause and resume: the workload itself.',
  ),
  namespace: optional(z.string(), 'Namespace of the workload, Pod or Service. Default: any.'),
  graceSeconds: optional(
    z.int().check(z.minimum(0)),
    "Of deletePod: as kubectl's --grace-period; default: the grace period of the Pod. Of evictPod: the grace of a soft threshold; default 1, that of a hard one.",
  ),
  condition: optional(z.string().check(z.minLength(1)), 'Of patchCondition: type of the condition.'),
  status: optional(status, "Of patchCondition: 'True' or 'False'."),
  node: optional(z.string(), 'Of actions on nodes: which. Default: each.'),
  service: optional(
    z.string(),
    'Of patchSelector, deleteService, deleteSlices, deleteEndpoints, touchSlice: its name.',
  ),
  labels: optional(
    z.record(z.string(), z.string()),
    'Of labelPod and labelNode: labels to add or to change; default: one that nothing selects by. Of patchSelector: the same in the selector.',
  ),
  ready: optional(z.boolean(), 'Of setReady and nodeReady.'),
  replicas: optional(ruled('replicas', REPLICAS), 'Of scale.'),
  toRevision: optional(
    z.int().check(z.minimum(1)),
    'Of undo: a revision as kubectl rollout history numbers them. Default: the one before.',
  ),
  image: optional(
    z.string().check(z.minLength(1)),
    'Of rollOut: the image that the new revision has. Default: that of the manifest.',
  ),
  container: optional(
    z.string(),
    'Of rollOut: which container changes; default: each. Of crash: whose process ends; default: the first of the Pod.',
  ),
  exitCode: optional(z.int().check(z.minimum(0), z.maximum(255)), 'Of crash. Default 1.'),
  startupProbe: changedProbe('startup'),
  readinessProbe: changedProbe('readiness'),
  livenessProbe: changedProbe('liveness'),
  terminationGracePeriodSeconds: optional(
    ruled('terminationGracePeriodSeconds', POD_GRACE),
    'Of rollOut: that of the new revision.',
  ),
  down: optional(duration, 'Of restartKubelet: from the end of the process to the start of the new one.'),
  lasts: optional(duration, 'Of cutApi, cutNode, refuseWrites and cutPodNetwork: for how long.'),
}).check(
  z.superRefine((value, context) => {
    const report = (path: string[], message: string, remedy: string): void =>
      context.addIssue({ code: 'custom', path, message: say(message, remedy) });
    for (const field of FIELD_NAMES) {
      const { of, needed, remedy } = OWN_FIELDS[field];
      const given = value[field] !== undefined;
      const isOwn = of.some((name) => name === value.do);
      if (isOwn && needed && !given) report([], `${value.do} needs ${field}`, remedy);
      if (!isOwn && given) {
        const [owner] = of;
        report([field], `${field} belongs to do: ${of.join(', ')}`, `Remove it, or write do: ${owner}.`);
      }
    }
    if (isServiceAction(value.do)) {
      for (const field of TARGETS.filter((name) => name !== 'namespace' && value[name] !== undefined))
        report(
          [field],
          `${value.do} is about a Service, not about a Pod`,
          `Remove ${field}; service names the Service.`,
        );
    } else if (isNodeAction(value.do)) {
      for (const field of TARGETS.filter((name) => value[name] !== undefined))
        report([field], `${value.do} is about a node, not about a Pod`, `Remove ${field}; node names the node.`);
    } else if (isWorkloadAction(value.do)) {
      if (value.pod !== undefined)
        report(['pod'], `${value.do} is about a workload, not about a Pod`, 'Write workload: instead, with its name.');
      else if (value.workload === undefined)
        report([], `${value.do} needs a workload`, 'Add the name of the workload, such as workload: web.');
    } else if (value.pod === undefined && value.workload === undefined) {
      report([], `${value.do} needs a pod or a workload`, 'Add pod: web-0, or workload: web for each of its Pods.');
    } else if (value.pod !== undefined && value.workload !== undefined) {
      report(['pod'], 'an action has either workload or pod', 'Remove one of them.');
    }
  }),
);
export type ActionEntry = z.output<typeof action>;
