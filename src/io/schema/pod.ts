import * as z from 'zod';
import { ACTIVE_DEADLINE, REPLICAS, WRITTEN_POD_GRACE } from '../settings.ts';
import { lifecycle } from './lifecycle.ts';
import { label, labels, metadata, objectName, top } from './metadata.ts';
import { always, portName, portNumber, probeSchema, ruled } from './probe.ts';
import { opaque, say, strict } from './strict.ts';

/** A Pod may leave its name to the server. */
const podMetadata = metadata
  .extend({ name: objectName.optional(), generateName: z.string().optional() })
  .refine(
    ({ name, generateName }) => name !== undefined || generateName !== undefined,
    say('the Pod has no name', 'Add metadata.name.'),
  );

const RESTART_POLICIES = ['Always', 'OnFailure', 'Never'] as const;

const container = strict({
  name: label('a container'),
  image: z.string().min(1),
  ports: z
    .array(
      strict({
        containerPort: portNumber,
        name: portName.optional(),
        protocol: z.enum(['TCP', 'UDP', 'SCTP']).optional(),
        ...opaque('hostPort', 'hostIP'),
      }),
    )
    .optional(),
  startupProbe: probeSchema('startup').optional(),
  readinessProbe: probeSchema('readiness').optional(),
  livenessProbe: probeSchema('liveness').optional(),
  lifecycle: lifecycle.optional(),
  restartPolicy: z.enum(RESTART_POLICIES).optional(),
  ...opaque(
    'args',
    'command',
    'env',
    'envFrom',
    'imagePullPolicy',
    'resizePolicy',
    'resources',
    'restartPolicyRules',
    'securityContext',
    'stdin',
    'stdinOnce',
    'terminationMessagePath',
    'terminationMessagePolicy',
    'tty',
    'volumeDevices',
    'volumeMounts',
    'workingDir',
  ),
});
export type ContainerManifest = z.output<typeof container>;

/** pkg/apis/core/validation/validation.go, validateInitContainers: only a sidecar goes on running, and can be asked. */
const NOT_FOR_INIT = ['startupProbe', 'readinessProbe', 'livenessProbe', 'lifecycle'] as const;
const initContainer = container.superRefine((value, context) => {
  if (value.restartPolicy === 'Always') return;
  for (const field of NOT_FOR_INIT.filter((name) => value[name] !== undefined)) {
    context.addIssue({
      code: 'custom',
      path: [field],
      message: say(
        `${field} must not be set for an init container that runs to its end`,
        'Remove it, or make the container a sidecar with restartPolicy: Always.',
      ),
    });
  }
}, always);

/** A name with an optional DNS prefix, such as `lb.example/target-ready`. */
const QUALIFIED = /^([a-z0-9]([a-z0-9.-]*[a-z0-9])?\/)?[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/;
const readinessGate = strict({
  conditionType: z
    .string()
    .regex(
      QUALIFIED,
      say(
        'this is no name for a condition',
        'Write letters and digits, with a prefix such as lb.example/ if you like.',
      ),
    ),
});

const podSpec = strict({
  containers: z.array(container).min(1),
  initContainers: z.array(initContainer).optional(),
  restartPolicy: z.enum(RESTART_POLICIES).optional(),
  activeDeadlineSeconds: ruled('activeDeadlineSeconds', ACTIVE_DEADLINE).optional(),
  readinessGates: z.array(readinessGate).optional(),
  terminationGracePeriodSeconds: ruled('terminationGracePeriodSeconds', WRITTEN_POD_GRACE).optional(),
  nodeName: z.string().optional(),
  hostname: label('a host').optional(),
  subdomain: label('a subdomain').optional(),
  ...opaque(
    'affinity',
    'automountServiceAccountToken',
    'dnsConfig',
    'dnsPolicy',
    'enableServiceLinks',
    'ephemeralContainers',
    'hostAliases',
    'hostIPC',
    'hostNetwork',
    'hostPID',
    'hostUsers',
    'hostnameOverride',
    'imagePullSecrets',
    'nodeSelector',
    'os',
    'overhead',
    'preemptionPolicy',
    'priority',
    'priorityClassName',
    'resourceClaims',
    'resources',
    'runtimeClassName',
    'schedulerName',
    'schedulingGates',
    'schedulingGroup',
    'securityContext',
    'serviceAccount',
    'serviceAccountName',
    'setHostnameAsFQDN',
    'shareProcessNamespace',
    'tolerations',
    'topologySpreadConstraints',
    'volumes',
    'workloadRef',
  ),
}).superRefine(({ containers, initContainers = [] }, context) => {
  const places = [
    ...containers.map(({ name }, i) => ({ name, path: ['containers', i, 'name'] })),
    ...initContainers.map(({ name }, i) => ({ name, path: ['initContainers', i, 'name'] })),
  ];
  for (const place of places) {
    const { name, path } = place;
    if (places.find((other) => other.name === name) === place) continue;
    const message = say(`two containers are called ${name}`, 'Give each container of a Pod its own name.');
    context.addIssue({ code: 'custom', path, message });
  }
});
export type PodSpecManifest = z.output<typeof podSpec>;

export const pod = strict({ ...top, metadata: podMetadata, spec: podSpec });
const podTemplate = strict({ metadata: z.looseObject({ labels }).optional(), spec: podSpec });
const selector = strict({ matchLabels: labels, ...opaque('matchExpressions') });

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
  context: z.RefinementCtx,
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

const kept = { selector, template: podTemplate, ...opaque('minReadySeconds') };
const scaled = { ...kept, replicas: ruled('replicas', REPLICAS).optional() };
const deploymentSpec = strict({
  ...scaled,
  ...opaque('paused', 'progressDeadlineSeconds', 'revisionHistoryLimit', 'strategy'),
});
const statefulSetSpec = strict({
  ...scaled,
  serviceName: z.string().optional(),
  ...opaque(
    'ordinals',
    'persistentVolumeClaimRetentionPolicy',
    'podManagementPolicy',
    'revisionHistoryLimit',
    'updateStrategy',
    'volumeClaimTemplates',
  ),
});
const daemonSetSpec = strict({ ...kept, ...opaque('revisionHistoryLimit', 'updateStrategy') });

/** The workloads that keep Pods, by kind. */
export const WORKLOADS = {
  Deployment: strict({ ...top, metadata, spec: deploymentSpec.superRefine(consistent) }),
  ReplicaSet: strict({ ...top, metadata, spec: strict(scaled).superRefine(consistent) }),
  StatefulSet: strict({ ...top, metadata, spec: statefulSetSpec.superRefine(consistent) }),
  DaemonSet: strict({ ...top, metadata, spec: daemonSetSpec.superRefine(consistent) }),
} as const;
