import { type ContainerRestart, FEATURE_GATES, type FeatureGate, type PodInput } from '../scenario.ts';

/**
 * What differs between the Kubernetes versions that a scenario can name, as far as a user can see it. Each switch is
 * asked for beside the rule that it changes. Versions marked ~ are known from source of that age, not from the release
 * branch (U-2).
 */
export interface Behaviour {
  /** 1.21: a started container that is not ready gets its readiness worker poked (K-205; PR 98376). */
  readonly pokesReadiness: boolean;
  /** 1.22: a changed startup result also asks for a pass (K-016; PR 101738). */
  readonly syncsAfterStartup: boolean;
  /** 1.22 to 1.24: readiness workers stop when termination begins (K-113; PR 102344, undone by PR 110191). */
  readonly stopsReadinessAtTermination: boolean;
  /** 1.25: terminationGracePeriodSeconds of a probe counts (K-083; KEP-2238). */
  readonly hasProbeLevelGrace: boolean;
  /** 1.26: a Pod that the kubelet ends gets the condition DisruptionTarget (K-043; KEP-3329). */
  readonly marksDisruption: boolean;
  /** ~1.27: the wait for volumes ends when the Pod begins to end, and its end is no event (K-035, K-046 step 9). */
  readonly cancelsVolumeWait: boolean;
  /** 1.27: a Pod that was deleted ends as Succeeded or Failed before its object goes, whatever its restartPolicy (K-193; PR 115331). */
  readonly endsPhaseBeforeRemoval: boolean;
  /** ~1.28: a startup worker holds after its success too, and so never runs twice (K-133; issue 117153). */
  readonly holdsAfterStartupSuccess: boolean;
  /** 1.29: init containers with restartPolicy Always are sidecars (KEP-753). */
  readonly hasSidecars: boolean;
  /** 1.29: the condition PodReadyToStartContainers exists (K-188; KEP-3085). */
  readonly hasSandboxCondition: boolean;
  /** 1.30: preStop has a sleep action (KEP-3960). */
  readonly hasSleepHook: boolean;
  /** ~1.31: a Pod is refused when it is added, and fails; before it stayed Pending, its containers Blocked (K-045; issue 125393). */
  readonly admitsAtAdd: boolean;
  /** ~1.32: a poked run restarts the ticker (K-117; PR 119089). */
  readonly pokeRestartsTicker: boolean;
  /** 1.33, gate ReduceDefaultCrashLoopBackOffDecay: the crash back-off begins with 1 s (K-077; KEP-4603). */
  readonly reducesCrashBackOff: boolean;
  /** 1.34: statuses carry observedGeneration, and so a PATCH follows each deletion (K-191). */
  readonly observesGeneration: boolean;
  /**
   * 1.35: a kubelet restart keeps started and ready, unless the gate ChangeContainerStatusOnKubeletRestart is on; K-210
   * comes with it (K-123, K-201, K-206; KEP-4781).
   */
  readonly keepsStateOverRestart: boolean;
  /** 1.35: the longest crash back-off is configured (K-077; KEP-5593). */
  readonly hasCrashBackOffMax: boolean;
  /** 1.35: a crash retry comes when the back-off ends, before in steps of 10 to 15 s (K-040; PR 133066). */
  readonly retriesAtExpiry: boolean;
  /** 1.35: a container may have a restartPolicy and rules of its own (K-066; KEP-5307). */
  readonly hasRestartRules: boolean;
  /** 1.35 only: commands of probes are cancelled, and count for nothing, once the Pod begins to end (K-140; PR 130487, PR 140882). */
  readonly cancelsProbeCommands: boolean;
  /** 1.36: such a rule may restart all containers of the Pod (K-061; KEP-5532). */
  readonly restartsAllContainers: boolean;
  /** 1.36: a pass that did something asks for a relist of its Pod (K-096; PR 137362). */
  readonly hasOnDemandRelist: boolean;
  /** ~1.36: PodReadyToStartContainers is written in the middle of the first pass (K-070; PR 134660). */
  readonly patchesSandboxReady: boolean;
  /** ~1.36: the startup worker of a started sidecar counts a success first (K-123; issue 136910). */
  readonly seedsStartedSidecars: boolean;
  /** 1.37, gate EventedPLEG: a container that the runtime says has stopped asks for a relist of its Pod (K-096; PR 139262). */
  readonly relistsAfterStop: boolean;
  /** 1.37: a False PodReadyToStartContainers says why (K-188; PR 135300). */
  readonly explainsSandbox: boolean;
}

/** The behaviour of a Kubernetes minor version, `1.20` to `1.37`; gates that it does not have do nothing. */
export function behaviourOf(kubernetes: string, gates: readonly FeatureGate[] = []): Behaviour {
  const minor = Number(kubernetes.split('.')[1]);
  const isOn = (gate: FeatureGate): boolean => gates.includes(gate) && minor >= FEATURE_GATES[gate];
  return {
    pokesReadiness: minor >= 21,
    syncsAfterStartup: minor >= 22,
    stopsReadinessAtTermination: minor >= 22 && minor < 25,
    hasProbeLevelGrace: minor >= 25,
    marksDisruption: minor >= 26,
    cancelsVolumeWait: minor >= 27,
    endsPhaseBeforeRemoval: minor >= 27,
    holdsAfterStartupSuccess: minor >= 28,
    hasSidecars: minor >= 29,
    hasSandboxCondition: minor >= 29,
    hasSleepHook: minor >= 30,
    admitsAtAdd: minor >= 31,
    pokeRestartsTicker: minor >= 32,
    reducesCrashBackOff: isOn('ReduceDefaultCrashLoopBackOffDecay'),
    observesGeneration: minor >= 34,
    keepsStateOverRestart: minor >= 35 && !isOn('ChangeContainerStatusOnKubeletRestart'),
    hasCrashBackOffMax: minor >= 35,
    retriesAtExpiry: minor >= 35,
    hasRestartRules: minor >= 35,
    cancelsProbeCommands: minor === 35,
    restartsAllContainers: minor >= 36,
    hasOnDemandRelist: minor >= 36,
    patchesSandboxReady: minor >= 36,
    seedsStartedSidecars: minor >= 36,
    relistsAfterStop: isOn('EventedPLEG'),
    explainsSandbox: minor >= 37,
  };
}

/** A Pod as the API server of that version would have stored it: fields that it does not know are dropped. */
export function asStored(pod: PodInput, behaviour: Behaviour): PodInput {
  const { hasSidecars, hasSleepHook, hasRestartRules, restartsAllContainers } = behaviour;
  if (hasSidecars && hasSleepHook && hasRestartRules && restartsAllContainers) return pod;
  const known = (container: PodInput['containers'][number]) => ({
    ...container,
    isSidecar: container.isSidecar && hasSidecars,
    restart: hasRestartRules ? withoutRestartOfAll(container.restart, behaviour) : null,
    preStop: container.preStop?.type === 'sleep' && !hasSleepHook ? null : container.preStop,
  });
  return { ...pod, containers: pod.containers.map(known), initContainers: pod.initContainers.map(known) };
}

function withoutRestartOfAll(
  restart: ContainerRestart | null,
  { restartsAllContainers }: Behaviour,
): ContainerRestart | null {
  if (!restart || restartsAllContainers) return restart;
  return { ...restart, rules: restart.rules.filter(({ action }) => action === 'Restart') };
}
