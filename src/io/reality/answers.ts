import { namedFractions } from '../../base/hash.ts';
import { type Quantiles, quantileAt } from '../../base/quantiles.ts';
import type { AppRun, AppStep, ContainerInput, PodInput, ProbeKind, ProbeSpec } from '../../sim/scenario.ts';
import { spread } from './hopDistributions.ts';

/**
 * How long a probe takes beside what the app's script says: from its tick, whole periods after the last "Triggered Probe
 * by manual run", to the prober's line in kubelet.log (730 by HTTP, 13 TCP, 17 gRPC, 37 exec, 14 refused ones).
 */
const TAKES: Readonly<Record<ProbeSpec['handler']['type'] | 'refused', Quantiles>> = {
  httpGet: spread(0.5, 1, 1.6, 2.6, 10),
  tcpSocket: spread(0.7, 1, 1.3, 2.1, 4.4),
  grpc: spread(1.2, 1.6, 2.3, 3.7, 5.3),
  exec: spread(1.9, 2.2, 2.6, 5, 8.5),
  refused: spread(0.3, 0.6, 1, 1.7, 4.2),
};

/** The Pods with each answer of their apps lengthened by a draw: one for each step of a script. */
export const withDrawnAnswers = (pods: readonly PodInput[], seed: number): readonly PodInput[] =>
  pods.map((pod) => {
    const drawn = (container: ContainerInput): ContainerInput => ({
      ...container,
      runs: container.runs.map((run, i) => drawnRun(run, container, seed, `${pod.name}/${container.name}/${i}`)),
    });
    return { ...pod, containers: pod.containers.map(drawn), initContainers: pod.initContainers.map(drawn) };
  });

function drawnRun(run: AppRun, { probes }: ContainerInput, seed: number, whose: string): AppRun {
  const fraction = namedFractions(seed, `reality/answer/${whose}`);
  let index = 0;
  const drawn = (step: AppStep): AppStep => {
    const answers = Object.entries(step.answers).map(([kind, answer]) => {
      const type = probes[kind as ProbeKind]?.handler.type ?? 'httpGet';
      const isRefused = type !== 'exec' && step.serve?.state === 'refuse';
      const more = quantileAt(TAKES[isRefused ? 'refused' : type], fraction(index++));
      return [kind, { ...answer, takes: answer.takes + more }];
    });
    return { ...step, answers: Object.fromEntries(answers) };
  };
  const onTerm = run.onTerm && { ...run.onTerm, script: run.onTerm.script.map(drawn) };
  return { ...run, script: run.script.map(drawn), onTerm };
}
