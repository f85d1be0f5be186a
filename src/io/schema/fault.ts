import * as z from 'zod';
import { say, strict } from './strict.ts';

/** An entry of `faults`: what goes wrong on the way to a running Pod, and for whom. */
export const fault = strict({
  pod: z.string().optional().describe('One Pod: its name (web-0) or its identity (default/web#1/0).'),
  workload: z.string().optional().describe('Each Pod of a workload, or a bare Pod. Instead of pod.'),
  namespace: z.string().optional().describe('Namespace of the workload or Pod. Default: any.'),
  admission: strict({
    reason: z.string().min(1).describe('Reason of the handler, such as OutOfcpu or NodeAffinity.'),
    message: z.string().optional().describe('Its message. Default: the reason.'),
  })
    .optional()
    .describe('The kubelet refuses the Pod: it fails. Up to 1.30 it stays Pending, its containers Blocked.'),
  sandboxFailures: z
    .int()
    .min(0)
    .max(1000)
    .optional()
    .describe('So many sandboxes fail before one can be made, each after latencies.criRunPodSandbox. Default 0.'),
}).superRefine(({ pod, workload }, context) => {
  const report = (path: string[], message: string, remedy: string): void =>
    context.addIssue({ code: 'custom', path, message: say(message, remedy) });
  if (pod === undefined && workload === undefined)
    report([], 'a fault needs a pod or a workload', 'Add pod: web-0, or workload: web for each of its Pods.');
  if (pod !== undefined && workload !== undefined)
    report(['pod'], 'a fault has either workload or pod', 'Remove one of them.');
});
export type FaultEntry = z.output<typeof fault>;
