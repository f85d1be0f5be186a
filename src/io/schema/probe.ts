import * as z from 'zod/mini';
import type { ProbeKind } from '../../sim/scenario.ts';
import type { NumberRule } from '../numberRule.ts';
import { checkNumber, PROBE_NUMBERS, type ProbeNumber, probeRule } from '../settings.ts';
import { opaque, say, strict } from './strict.ts';

/** A whole number that keeps a rule's limits. Zod checks the type, the rule the value. */
export const ruled = (name: string, rule: NumberRule) =>
  z.int().check(
    z.superRefine((value, context) => {
      const complaint = checkNumber(name, rule, value);
      if (complaint) context.addIssue({ code: 'custom', message: say(complaint.message, complaint.remedy ?? '') });
    }),
  );

const PORT_RANGE = say(
  'a port must be between 1 and 65535',
  'Write the number of the port that the process listens on.',
);

/** What is wrong with a port's name (an IANA service name); null when nothing is. */
function portNameProblem(name: string): string | null {
  if (/^\d+$/.test(name))
    return say(`the port "${name}" is a text of digits, which is no port name`, `Write ${name} without quotes.`);
  if (name.length > 15)
    return say(`the port name "${name}" is longer than 15 characters`, 'Shorten it here and in ports.');
  if (/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(name) && /[a-z]/.test(name) && !name.includes('--')) return null;
  return say(
    `"${name}" is no port name`,
    'Use lower-case letters, digits and single hyphens, with at least one letter.',
  );
}

export const portName = z.string().check(
  z.superRefine((name, context) => {
    const message = portNameProblem(name);
    if (message !== null) context.addIssue({ code: 'custom', message });
  }),
);
export const portNumber = z.int().check(z.refine((port) => port >= 1 && port <= 65535, PORT_RANGE));
const portOrName = z
  .union([z.number(), z.string()], {
    error: say('port must be a number or the name of a port', 'Add it, such as port: 8080.'),
  })
  .check(
    z.superRefine((port, context) => {
      const fine = typeof port === 'number' ? Number.isInteger(port) && port >= 1 && port <= 65535 : true;
      const message = typeof port === 'string' ? portNameProblem(port) : fine ? null : PORT_RANGE;
      if (message !== null) context.addIssue({ code: 'custom', message });
    }),
  );

const NO_PORT_NAME = say('port of a grpc probe must be a number', 'Write the number: a grpc probe takes no port name.');
const grpcPort = z.int({ error: NO_PORT_NAME }).check(z.refine((port) => port >= 1 && port <= 65535, PORT_RANGE));

/** apimachinery validation.IsHTTPHeaderName. */
const httpHeader = strict({
  name: z
    .string()
    .check(
      z.regex(
        /^[-A-Za-z0-9]+$/,
        say('this is no name of an HTTP header', 'Use letters, digits and hyphens, as in X-Probe.'),
      ),
    ),
  value: z.optional(z.string()),
});

/** What a probe does; a hook has the first three of them, too. */
export const handlers = {
  exec: z.optional(strict({ command: z.array(z.string()).check(z.minLength(1)) })),
  httpGet: z.optional(
    strict({
      port: portOrName,
      path: z.optional(z.string()),
      scheme: z.optional(z.enum(['HTTP', 'HTTPS'])),
      httpHeaders: z.optional(z.array(httpHeader)),
      ...opaque('host', 'protocol'),
    }),
  ),
  tcpSocket: z.optional(strict({ port: portOrName, ...opaque('host') })),
  grpc: z.optional(strict({ port: grpcPort, service: z.optional(z.string()) })),
};
export const HANDLER_TYPES = Object.keys(handlers) as (keyof typeof handlers)[];

const typesIn = (types: readonly string[], value: unknown): string[] =>
  typeof value === 'object' && value !== null ? types.filter((type) => Object.hasOwn(value, type)) : [];
/** Also asked of a map that has other faults, so that all are reported at once. */
export const always = { when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null };

/** A map of `shape` with exactly one of the handlers `types`. `what` names it, such as `readiness probe`. */
export function withHandler<T extends z.core.$ZodShape>(shape: T, types: readonly string[], what: string) {
  return strict(shape).check(
    z.refine((value) => typesIn(types, value).length > 0, {
      ...always,
      error: say(`the ${what} has no handler`, `Add one of ${types.join(', ')}, indented below it.`),
    }),
    z.refine((value) => typesIn(types, value).length < 2, {
      ...always,
      error: ({ input }) =>
        say(`the ${what} has more than one handler: ${typesIn(types, input).join(', ')}`, 'Keep one of them.'),
    }),
  );
}

/** A probe as a container's `startupProbe`, `readinessProbe` or `livenessProbe` gives it. */
export function probeSchema(kind: ProbeKind) {
  const numbers = Object.fromEntries(
    PROBE_NUMBERS.map((field) => [field, z.optional(ruled(field, probeRule(kind, field)))]),
  ) as Record<ProbeNumber, z.ZodMiniOptional<z.ZodMiniInt>>;
  return withHandler({ ...handlers, ...numbers }, HANDLER_TYPES, `${kind} probe`);
}
export type ProbeManifest = z.output<ReturnType<typeof probeSchema>>;
