import * as z from 'zod/mini';
import { MIN_READY, PARTITION, PROGRESS_DEADLINE, REPLICAS, REVISION_HISTORY } from '../settings.ts';
import { metadata, top } from './metadata.ts';
import { podTemplate, selector } from './pod.ts';
import { ruled } from './probe.ts';
import { opaque, say, strict } from './strict.ts';

const number = <N extends string>(name: N, rule: Parameters<typeof ruled>[1]) => z.optional(ruled(name, rule));

/** A number, or a percentage in quotes; `most`, %, as far as that is limited. */
const intOrPercent = (field: string, most = Number.POSITIVE_INFINITY) => {
  const error = say(`${field} must be a whole number or a percentage`, `Write a number such as 1, or '25%' in quotes.`);
  const tooMuch = say(`${field} must not be more than ${most}%`, `Write '${most}%', or a number.`);
  const isWithin = (text: string): boolean => !(Number.parseInt(text, 10) > most);
  // A text that is no percentage is the complaint of that member, not of the union.
  const percentage = z.string().check(z.regex(/^\d+%$/, error), z.refine(isWithin, tooMuch));
  return z.optional(z.union([z.int().check(z.minimum(0)), percentage], { error }));
};
/** Of the Pods that are there, no more than all may be missing or have to be there (pkg/apis/apps/validation, IsNotMoreThan100Percent). */
const ALL = 100;
type IntOrPercent = number | string | undefined;
const isZero = (value: IntOrPercent, fallback: number | string): boolean =>
  Number.parseInt(String(value ?? fallback), 10) === 0;

const MISMATCH = say(
  'the selector does not match the labels of the template',
  'Make spec.selector.matchLabels a part of spec.template.metadata.labels.',
);
const EMPTY_SELECTOR = say('the selector is empty', 'Add matchLabels with labels of the template.');
const NOT_ALWAYS = say(
  'restartPolicy must be Always in a workload that keeps its Pods',
  'Remove the line, or use a bare Pod.',
);
const NO_DEADLINE = say(
  'activeDeadlineSeconds must not be set in a workload that keeps its Pods',
  'Remove the line, or use a bare Pod.',
);

/** What a workload's spec must be as a whole. matchExpressions are taken at their word. */
function consistent(
  spec: { selector: z.output<typeof selector>; template: z.output<typeof podTemplate> },
  context: z.core.$RefinementCtx,
): void {
  const { metadata: meta, spec: podSpecOfTemplate } = spec.template;
  const wanted = Object.entries(spec.selector.matchLabels ?? {});
  if (wanted.length === 0 && spec.selector.matchExpressions === undefined) {
    context.addIssue({ code: 'custom', path: ['selector'], message: EMPTY_SELECTOR });
  }
  if (!wanted.every(([key, value]) => meta?.labels?.[key] === value)) {
    context.addIssue({ code: 'custom', path: ['template', 'metadata', 'labels'], message: MISMATCH });
  }
  if ((podSpecOfTemplate.restartPolicy ?? 'Always') !== 'Always') {
    context.addIssue({ code: 'custom', path: ['template', 'spec', 'restartPolicy'], message: NOT_ALWAYS });
  }
  if (podSpecOfTemplate.activeDeadlineSeconds !== undefined) {
    context.addIssue({ code: 'custom', path: ['template', 'spec', 'activeDeadlineSeconds'], message: NO_DEADLINE });
  }
}

const kept = { selector, template: podTemplate, minReadySeconds: number('minReadySeconds', MIN_READY) };
const scaled = { ...kept, replicas: number('replicas', REPLICAS) };
const history = { revisionHistoryLimit: number('revisionHistoryLimit', REVISION_HISTORY) };

/** A rolling update that could neither add nor take away a Pod would stand still. */
const noStep = (where: string) =>
  say(`maxSurge and maxUnavailable of ${where} must not both be 0`, 'Write maxSurge: 1, or maxUnavailable: 1.');

const deploymentStrategy = strict({
  type: z.optional(z.enum(['RollingUpdate', 'Recreate'])),
  rollingUpdate: z.optional(
    strict({ maxSurge: intOrPercent('maxSurge'), maxUnavailable: intOrPercent('maxUnavailable', ALL) }),
  ),
}).check(
  z.refine(({ type, rollingUpdate }) => type !== 'Recreate' || rollingUpdate === undefined, {
    path: ['rollingUpdate'],
    error: say('rollingUpdate must not be set with type: Recreate', 'Remove it, or write type: RollingUpdate.'),
  }),
  z.refine(
    ({ rollingUpdate: { maxSurge, maxUnavailable } = {} }) =>
      !(isZero(maxSurge, '25%') && isZero(maxUnavailable, '25%')),
    { path: ['rollingUpdate'], error: noStep('a Deployment') },
  ),
);
/** pkg/apis/apps/validation/validation.go, ValidateDeploymentSpec. */
const deploymentSpec = strict({
  ...scaled,
  ...history,
  paused: z.optional(z.boolean()),
  progressDeadlineSeconds: number('progressDeadlineSeconds', PROGRESS_DEADLINE),
  strategy: z.optional(deploymentStrategy),
}).check(
  z.refine(({ minReadySeconds = 0, progressDeadlineSeconds = 600 }) => progressDeadlineSeconds > minReadySeconds, {
    path: ['progressDeadlineSeconds'],
    error: say(
      'progressDeadlineSeconds must be greater than minReadySeconds',
      'Raise progressDeadlineSeconds (600 when not given), or lower minReadySeconds.',
    ),
  }),
);

const updateType = z.optional(z.enum(['RollingUpdate', 'OnDelete']));
const statefulSetSpec = strict({
  ...scaled,
  ...history,
  serviceName: z.optional(z.string()),
  podManagementPolicy: z.optional(z.enum(['OrderedReady', 'Parallel'])),
  updateStrategy: z.optional(
    strict({
      type: updateType,
      rollingUpdate: z.optional(
        strict({ partition: number('partition', PARTITION), maxUnavailable: intOrPercent('maxUnavailable', ALL) }),
      ),
    }).check(
      z.refine(({ type, rollingUpdate }) => type !== 'OnDelete' || rollingUpdate === undefined, {
        path: ['rollingUpdate'],
        error: say('rollingUpdate must not be set with type: OnDelete', 'Remove it, or write type: RollingUpdate.'),
      }),
    ),
  ),
  ...opaque('ordinals', 'persistentVolumeClaimRetentionPolicy', 'volumeClaimTemplates'),
});
const daemonSetSpec = strict({
  ...kept,
  ...history,
  updateStrategy: z.optional(
    strict({
      type: updateType,
      rollingUpdate: z.optional(
        strict({ maxSurge: intOrPercent('maxSurge', ALL), maxUnavailable: intOrPercent('maxUnavailable', ALL) }).check(
          z.refine(({ maxSurge, maxUnavailable }) => !(isZero(maxSurge, 0) && isZero(maxUnavailable, 1)), {
            error: noStep('a DaemonSet'),
          }),
          z.refine(({ maxSurge, maxUnavailable }) => isZero(maxSurge, 0) || isZero(maxUnavailable, 1), {
            path: ['maxSurge'],
            error: say(
              'maxSurge of a DaemonSet needs maxUnavailable: 0 (1 when not given)',
              'Write maxUnavailable: 0 beside it, or remove maxSurge.',
            ),
          }),
        ),
      ),
    }),
  ),
});

/** The workloads that keep Pods, by kind. */
export const WORKLOADS = {
  Deployment: strict({ ...top, metadata, spec: deploymentSpec.check(z.superRefine(consistent)) }),
  ReplicaSet: strict({ ...top, metadata, spec: strict(scaled).check(z.superRefine(consistent)) }),
  StatefulSet: strict({ ...top, metadata, spec: statefulSetSpec.check(z.superRefine(consistent)) }),
  DaemonSet: strict({ ...top, metadata, spec: daemonSetSpec.check(z.superRefine(consistent)) }),
} as const;
export type DeploymentManifest = z.output<(typeof WORKLOADS)['Deployment']>;
export type StatefulSetManifest = z.output<(typeof WORKLOADS)['StatefulSet']>;
export type DaemonSetManifest = z.output<(typeof WORKLOADS)['DaemonSet']>;

/** pkg/apis/policy/validation/validation.go, ValidatePodDisruptionBudgetSpec. */
export const podDisruptionBudget = strict({
  ...top,
  metadata,
  spec: strict({
    selector: z.optional(selector),
    minAvailable: intOrPercent('minAvailable', ALL),
    maxUnavailable: intOrPercent('maxUnavailable', ALL),
    unhealthyPodEvictionPolicy: z.optional(z.enum(['IfHealthyBudget', 'AlwaysAllow'])),
  }).check(
    z.refine(({ minAvailable, maxUnavailable }) => minAvailable === undefined || maxUnavailable === undefined, {
      path: ['maxUnavailable'],
      error: say('a budget has either minAvailable or maxUnavailable', 'Remove one of them.'),
    }),
  ),
});
export type PodDisruptionBudgetManifest = z.output<typeof podDisruptionBudget>;
