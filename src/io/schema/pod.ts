import * as z from 'zod/mini';
import { ACTIVE_DEADLINE, WRITTEN_POD_GRACE } from '../settings.ts';
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

export const TAINT_EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;
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

const containerPort = strict({
  containerPort: portNumber,
  name: z.optional(portName),
  protocol: z.optional(z.enum(['TCP', 'UDP', 'SCTP'])),
  hostPort: z.optional(z.int().check(z.minimum(0), z.maximum(65535))),
  ...opaque('hostIP'),
});

/** pkg/apis/core/validation/validation.go, validateContainerPorts. */
function distinctPortNames(
  ports: readonly { readonly name?: string | undefined }[],
  context: z.core.$RefinementCtx,
): void {
  for (const [i, { name }] of ports.entries()) {
    if (name === undefined || ports.findIndex((port) => port.name === name) === i) continue;
    const message = say(`two ports are called ${name}`, 'Give each port of a container its own name.');
    context.addIssue({ code: 'custom', path: [i, 'name'], message });
  }
}

const plainContainer = strict({
  name: label('a container'),
  image: z.string().check(z.minLength(1)),
  ports: z.optional(z.array(containerPort).check(z.superRefine(distinctPortNames))),
  env: z.optional(z.array(z.looseObject({ name: z.string(), value: z.optional(z.string()) }))),
  startupProbe: z.optional(probeSchema('startup')),
  readinessProbe: z.optional(probeSchema('readiness')),
  livenessProbe: z.optional(probeSchema('liveness')),
  lifecycle: z.optional(lifecycle),
  restartPolicy: z.optional(z.enum(RESTART_POLICIES)),
  restartPolicyRules: z.optional(z.array(restartPolicyRule).check(z.maxLength(MOST_RULES))),
  ...opaque(
    'args',
    'command',
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

/** pkg/apis/core/validation/validation.go, ValidateTolerations. */
const toleration = strict({
  key: z.optional(z.string()),
  operator: z.optional(z.enum(['Exists', 'Equal', 'Lt', 'Gt'])),
  value: z.optional(z.string()),
  effect: z.optional(z.enum(TAINT_EFFECTS)),
  tolerationSeconds: z.optional(z.int()),
}).check(
  z.refine(({ key, operator }) => (key ?? '') !== '' || operator === 'Exists', {
    path: ['operator'],
    error: say('a toleration without a key tolerates all: its operator must be Exists', 'Write operator: Exists.'),
  }),
  z.refine(({ operator, value }) => operator !== 'Exists' || (value ?? '') === '', {
    path: ['value'],
    error: say('a toleration with operator Exists has no value', 'Remove value, or write operator: Equal.'),
  }),
  z.refine(({ effect, tolerationSeconds }) => tolerationSeconds === undefined || effect === 'NoExecute', {
    path: ['tolerationSeconds'],
    error: say('tolerationSeconds needs effect: NoExecute', 'Write effect: NoExecute, or remove tolerationSeconds.'),
  }),
);
export type TolerationManifest = z.output<typeof toleration>;

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
  tolerations: z.optional(z.array(toleration)),
  hostNetwork: z.optional(z.boolean()),
  ...opaque(
    'affinity',
    'automountServiceAccountToken',
    'dnsConfig',
    'dnsPolicy',
    'enableServiceLinks',
    'ephemeralContainers',
    'hostAliases',
    'hostIPC',
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
  z.superRefine(({ hostNetwork, containers }, context) => {
    if (!hostNetwork) return;
    for (const [i, { ports = [] }] of containers.entries()) {
      for (const [j, { containerPort, hostPort = 0 }] of ports.entries()) {
        if (hostPort === 0 || hostPort === containerPort) continue;
        const message = say('with hostNetwork a hostPort must be the containerPort', 'Remove hostPort.');
        context.addIssue({ code: 'custom', path: ['containers', i, 'ports', j, 'hostPort'], message });
      }
    }
  }),
);
export type PodSpecManifest = z.output<typeof podSpec>;

export const pod = strict({ ...top, metadata: podMetadata, spec: podSpec });
export const podTemplate = strict({ metadata: z.optional(z.looseObject({ labels })), spec: podSpec });
export const selector = strict({ matchLabels: labels, ...opaque('matchExpressions') });
