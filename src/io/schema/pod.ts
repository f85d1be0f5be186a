import * as z from 'zod/mini';
import { ACTIVE_DEADLINE, REPLICAS, WRITTEN_POD_GRACE } from '../settings.ts';
import { lifecycle } from './lifecycle.ts';
import { label, labels, metadata, objectName, top } from './metadata.ts';
import { always, portName, portNumber, probeSchema, ruled } from './probe.ts';
import { opaque, say, strict } from './strict.ts';

/** A Pod may leave its name to the server. */
const podMetadata = z
  .extend(metadata, { name: z.optional(objectName), generateName: z.optional(z.string()) })
  .check(
    z.refine(
      ({ name, generateName }) => name !== undefined || generateName !== undefined,
      say('the Pod has no name', 'Add metadata.name.'),
    ),
  );

const RESTART_POLICIES = ['Always', 'OnFailure', 'Never'] as const;

/** pkg/apis/core/validation/validation.go, validateContainerRestartPolicy. */
const MOST_RULES = 20;
const MOST_EXIT_CODES = 255;
const restartPolicyRule = strict({
  action: z.enum(['Restart', 'RestartAllContainers']),
  exitCodes: strict({
    operator: z.enum(['In', 'NotIn']),
    values: z.array(z.int().check(z.minimum(0), z.maximum(255))).check(z.minLength(1), z.maxLength(MOST_EXIT_CODES)),
  }),
});

const plainContainer = strict({
  name: label('a container'),
  image: z.string().check(z.minLength(1)),
  ports: z.optional(
    z.array(
      strict({
        containerPort: portNumber,
        name: z.optional(portName),
        protocol: z.optional(z.enum(['TCP', 'UDP', 'SCTP'])),
        ...opaque('hostPort', 'hostIP'),
      }),
    ),
  ),
  startupProbe: z.optional(probeSchema('startup')),
  readinessProbe: z.optional(probeSchema('readiness')),
  livenessProbe: z.optional(probeSchema('liveness')),
  lifecycle: z.optional(lifecycle),
  restartPolicy: z.optional(z.enum(RESTART_POLICIES)),
  restartPolicyRules: z.optional(z.array(restartPolicyRule).check(z.maxLength(MOST_RULES))),
  ...opaque(
    'args',
    'command',
    'env',
    'envFrom',
    'imagePullPolicy',
    'resizePolicy',
    'resources',
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
export type ContainerManifest = z.output<typeof plainContainer>;
const container = plainContainer.check(
  z.superRefine(({ restartPolicy, restartPolicyRules = [] }, context) => {
    if (restartPolicy !== undefined || restartPolicyRules.length === 0) return;
    const message = say(
      'restartPolicyRules need a restartPolicy of the same container',
      'Add restartPolicy: Never, or the policy for all exit codes that no rule is about.',
    );
    context.addIssue({ code: 'custom', path: ['restartPolicyRules'], message });
  }, always),
);

/** pkg/apis/core/validation/validation.go, validateInitContainers: only a sidecar goes on running, and can be asked. */
const NOT_FOR_INIT = ['startupProbe', 'readinessProbe', 'livenessProbe', 'lifecycle'] as const;
const initContainer = container.check(
  z.superRefine((value, context) => {
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
  }, always),
);

/** A name with an optional DNS prefix, such as `lb.example/target-ready`. */
const QUALIFIED = /^([a-z0-9]([a-z0-9.-]*[a-z0-9])?\/)?[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/;
const readinessGate = strict({
  conditionType: z
    .string()
    .check(
      z.regex(
        QUALIFIED,
        say(
          'this is no name for a condition',
          'Write letters and digits, with a prefix such as lb.example/ if you like.',
        ),
      ),
    ),
});

const podSpec = strict({
  containers: z.array(container).check(z.minLength(1)),
  initContainers: z.optional(z.array(initContainer)),
  restartPolicy: z.optional(z.enum(RESTART_POLICIES)),
  activeDeadlineSeconds: z.optional(ruled('activeDeadlineSeconds', ACTIVE_DEADLINE)),
  readinessGates: z.optional(z.array(readinessGate)),
  terminationGracePeriodSeconds: z.optional(ruled('terminationGracePeriodSeconds', WRITTEN_POD_GRACE)),
  nodeName: z.optional(z.string()),
  hostname: z.optional(label('a host')),
  subdomain: z.optional(label('a subdomain')),
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
}).check(
  z.superRefine(({ containers, initContainers = [] }, context) => {
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
  }),
);
export type PodSpecManifest = z.output<typeof podSpec>;

export const pod = strict({ ...top, metadata: podMetadata, spec: podSpec });
const podTemplate = strict({ metadata: z.optional(z.looseObject({ labels })), spec: podSpec });
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

const kept = { selector, template: podTemplate, ...opaque('minReadySeconds') };
const scaled = { ...kept, replicas: z.optional(ruled('replicas', REPLICAS)) };
const deploymentSpec = strict({
  ...scaled,
  ...opaque('paused', 'progressDeadlineSeconds', 'revisionHistoryLimit', 'strategy'),
});
const statefulSetSpec = strict({
  ...scaled,
  serviceName: z.optional(z.string()),
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
  Deployment: strict({ ...top, metadata, spec: deploymentSpec.check(z.superRefine(consistent)) }),
  ReplicaSet: strict({ ...top, metadata, spec: strict(scaled).check(z.superRefine(consistent)) }),
  StatefulSet: strict({ ...top, metadata, spec: statefulSetSpec.check(z.superRefine(consistent)) }),
  DaemonSet: strict({ ...top, metadata, spec: daemonSetSpec.check(z.superRefine(consistent)) }),
} as const;
