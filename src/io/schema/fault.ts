import * as z from 'zod/mini';
import { optional, say, strict } from './strict.ts';

/** An entry of `faults`: what goes wrong on the way to a running Pod, and for whom. */
export const fault = strict({
  pod: optional(z.string(), 'One Pod: its name (web-0) or its identity (default/web#1/0).'),
  workload: optional(z.string(), 'Each Pod of a workload, or a bare Pod. Instead of pod.'),
  namespace: optional(z.string(), 'Namespace of the workload or Pod. Default: any.'),
  admission: optional(
    strict({
      reason: z.string().check(z.minLength(1), z.describe('Reason of the handler, such as OutOfcpu or NodeAffinity.')),
      message: optional(z.string(), 'Its message. Default: the reason.'),
    }),
    'The kubelet refuses the Pod: it fails. Up to 1.30 it stays Pending, its containers Blocked.',
  ),
  sandboxFailures: optional(
    z.int().check(z.minimum(0), z.maximum(1000)),
    'So many sandboxes fail before one can be made, each after latencies.criRunPodSandbox. Default 0.',
  ),
}).check(
  z.superRefine(({ pod, workload }, context) => {
    const report = (path: string[], message: string, remedy: string): void =>
      context.addIssue({ code: 'custom', path, message: say(message, remedy) });
    if (pod === undefined && workload === undefined)
      report([], 'a fault needs a pod or a workload', 'Add pod: web-0, or workload: web for each of its Pods.');
    if (pod !== undefined && workload !== undefined)
      report(['pod'], 'a fault has either workload or pod', 'Remove one of them.');
  }),
);
export type FaultEntry = z.output<typeof fault>;
