/** Random scenarios that use all that the simulator has, within what the API server accepts. */
import * as fc from 'fast-check';
import { later, type Micros, type MicrosSpan, micros, milliseconds, seconds } from '../../src/base/units.ts';
import type {
  Action,
  AppRun,
  AppStep,
  AppTerm,
  ContainerInput,
  Hook,
  HookRun,
  ImagePull,
  KubeletConfig,
  Latencies,
  PodInput,
  ProbeKind,
  ProbeSpec,
  Scenario,
} from '../../src/sim/scenario.ts';
import { bad, broken, container, exitStep, hang, ok, pod, probe, run, scenario, step } from './scenario.ts';

const NODES = ['node-a', 'node-b'];
const GATES = ['example.com/checked', 'example.com/warm'];
const KINDS: readonly ProbeKind[] = ['startup', 'readiness', 'liveness'];
const DEFAULT_LATENCY = scenario([], 1).latency;

const int = (min: number, max: number): fc.Arbitrary<number> => fc.integer({ min, max });
/** Mostly whole seconds, so that things coincide; else any millisecond. */
const instant = (max: number): fc.Arbitrary<number> =>
  fc.oneof({ weight: 2, arbitrary: int(0, max) }, { weight: 1, arbitrary: int(0, max * 1000).map((ms) => ms / 1000) });
const seldom = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { nil: null, freq: 2 });

const answer = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(ok(), ok(0), ok(300)) },
  { weight: 4, arbitrary: fc.constantFrom(bad(), bad(0), broken(), hang(), ok(1500), bad(2500), broken(700)) },
);
const script = (max: number): fc.Arbitrary<readonly AppStep[]> =>
  fc
    .array(fc.tuple(instant(max), answer, seldom(fc.constantFrom(...KINDS))), { maxLength: 4 })
    .map((steps) =>
      steps.sort(([a], [b]) => a - b).map(([at, how, only]) => (only ? step(at, how, only) : step(at, how))),
    );

const onTerm: fc.Arbitrary<AppTerm> = fc.record({
  exitAfter: fc.oneof(
    fc.constant(null),
    instant(12).map((at) => seconds(at)),
  ),
  exitCode: fc.constantFrom(0, 1, 143),
  script: script(5),
});
const hookRun: fc.Arbitrary<HookRun> = fc.record({ answer, script: script(5) });
const appRun: fc.Arbitrary<AppRun> = fc
  .record({
    steps: script(60),
    exit: fc.option(fc.tuple(instant(40), fc.constantFrom(0, 1)), { nil: null }),
    postStart: seldom(hookRun),
    preStop: seldom(hookRun),
    onTerm: fc.option(onTerm, { nil: null }),
  })
  .map(({ steps, exit, ...rest }) => ({ ...run(...steps, ...(exit ? [exitStep(...exit)] : [])), ...rest }));
const runs = fc.array(appRun, { minLength: 1, maxLength: 3 });
/** An init container works for some seconds; its first run may fail. */
const initRuns: fc.Arbitrary<readonly AppRun[]> = fc
  .tuple(seldom(instant(4)), instant(4))
  .map(([failsAt, endsAt]) => [...(failsAt === null ? [] : [run(exitStep(failsAt, 1))]), run(exitStep(endsAt, 0))]);

const probeOf = (kind: ProbeKind): fc.Arbitrary<ProbeSpec> =>
  fc
    .record({
      initialDelaySeconds: fc.oneof(fc.constant(0), int(0, 8)),
      periodSeconds: int(1, 12),
      timeoutSeconds: int(1, 3),
      successThreshold: kind === 'readiness' ? int(1, 3) : fc.constant(1),
      failureThreshold: int(1, 3),
      terminationGracePeriodSeconds: kind === 'readiness' ? fc.constant(null) : seldom(int(1, 8)),
      handler: fc.constantFrom<ProbeSpec['handler']>(
        { type: 'exec', target: '/probe' },
        { type: 'httpGet', target: ':8080/healthz' },
        { type: 'tcpSocket', target: ':5432' },
        { type: 'grpc', target: ':9090' },
      ),
    })
    .map((numbers) => probe(numbers));
const probes = fc.record(
  Object.fromEntries(KINDS.map((kind) => [kind, fc.option(probeOf(kind), { nil: null })])) as {
    [K in ProbeKind]: fc.Arbitrary<ProbeSpec | null>;
  },
);

const hook: fc.Arbitrary<Hook> = fc.oneof(
  int(1, 10).map((length) => ({ type: 'sleep', seconds: length }) as const),
  fc.constantFrom({ type: 'exec' } as const, { type: 'httpGet' } as const),
);
const imagePull: fc.Arbitrary<ImagePull> = fc.record({
  takes: instant(4).map((at) => seconds(at)),
  failures: int(0, 2),
});
const longRunning = (name: string): fc.Arbitrary<ContainerInput> =>
  fc
    .record({
      probes,
      runs,
      imagePull: seldom(imagePull),
      postStart: seldom(hook),
      preStop: seldom(hook),
      latencyIndex: int(0, 2),
    })
    .map((parts) => ({ ...container({}, parts.runs, name), ...parts }));
const initContainer = (name: string): fc.Arbitrary<ContainerInput> =>
  fc.oneof(
    longRunning(name).map((sidecar) => ({ ...sidecar, isSidecar: true })),
    initRuns.map((made) => container({}, made, name)),
  );
const named = (
  make: (name: string) => fc.Arbitrary<ContainerInput>,
  names: readonly string[],
  min: number,
): fc.Arbitrary<readonly ContainerInput[]> =>
  fc.tuple(int(min, names.length), fc.tuple(...names.map(make))).map(([count, all]) => all.slice(0, count));

const podInput = (name: string): fc.Arbitrary<PodInput> =>
  fc
    .record({
      containers: named(longRunning, ['app', 'web'], 1),
      initContainers: fc.oneof(fc.constant([]), named(initContainer, ['first', 'second'], 1)),
      node: fc.constantFrom(...NODES),
      createdAt: instant(8).map((at) => micros(seconds(at))),
      restartPolicy: fc.constantFrom('Always', 'Always', 'OnFailure', 'Never' as const),
      terminationGracePeriodSeconds: fc.constantFrom(0, 1, 3, 10, 30),
      activeDeadlineSeconds: seldom(int(5, 60)),
      readinessGates: fc.oneof(fc.constant([]), fc.subarray(GATES)),
      isStatic: fc.constantFrom(false, false, false, true),
      faults: fc.record({
        admission: fc.constantFrom(...Array(15).fill(null), { reason: 'OutOfcpu', message: 'Node lacks cpu' }),
        sandboxFailures: fc.constantFrom(0, 0, 0, 0, 1, 2),
      }),
    })
    .map(({ containers, ...over }) =>
      pod(containers, { ...over, identity: `default/${name}`, name, uid: `${name}-uid` }),
    );

/** What may happen to one Pod. Of a static one only its manifest goes: nobody deletes a mirror here. */
const actionsOn = ({
  identity,
  isStatic,
  createdAt,
  containers,
  initContainers,
}: PodInput): fc.Arbitrary<readonly Action[]> => {
  const after = instant(60).map((at) => seconds(at));
  if (isStatic) {
    const removal = after.map((span): Action => ({ at: later(createdAt, span), do: 'removeStaticPod', pod: identity }));
    return fc.array(removal, { maxLength: 1 });
  }
  const when = after.map((span) => later(micros(0), span));
  const one = fc.oneof(
    when.chain((at) => deletions(identity, at)),
    fc
      .tuple(when, fc.constantFrom(...GATES), fc.constantFrom('True', 'True', 'False' as const))
      .map(([at, condition, status]): readonly Action[] => [
        { at, do: 'patchCondition', pod: identity, condition, status },
      ]),
    fc
      .tuple(
        when,
        fc.constantFrom(...[...containers, ...initContainers].map(({ name }) => name)),
        fc.constantFrom(0, 1),
      )
      .map(([at, container, exitCode]): readonly Action[] => [{ at, do: 'crash', pod: identity, container, exitCode }]),
    when.map((at): readonly Action[] => [{ at, do: 'labelPod', pod: identity, labels: {} }]),
    fc
      .tuple(when, fc.constantFrom(1, 1, 4, 20))
      .map(([at, graceSeconds]): readonly Action[] => [{ at, do: 'evictPod', pod: identity, graceSeconds }]),
  );
  return fc.array(one, { maxLength: 4 }).map((lists) => lists.flat());
};
/** A deletion; at times somebody loses patience, at once or later. */
const deletions = (pod: string, at: Micros): fc.Arbitrary<readonly Action[]> => {
  const graceSeconds = fc.constantFrom(null, null, 0, 1, 5, 20);
  const again = fc.record({ span: fc.constantFrom(0, 0.05, 0.4, 3), graceSeconds: fc.constantFrom(0, 1, 3) });
  return fc
    .tuple(graceSeconds, fc.option(again, { nil: null }))
    .map(([first, second]): readonly Action[] => [
      { at, do: 'deletePod', pod, graceSeconds: first },
      ...(second
        ? [{ at: later(at, seconds(second.span)), do: 'deletePod' as const, pod, graceSeconds: second.graceSeconds }]
        : []),
    ]);
};
/** At an instant of its own: what the process did at the very moment of its end would belong to no process. */
const kubeletRestart = fc
  .tuple(instant(60), fc.constantFrom(...NODES), instant(12))
  .map(
    ([at, node, down]): Action => ({ at: micros(seconds(at) + 137), do: 'restartKubelet', node, down: seconds(down) }),
  );
const cut = fc
  .tuple(
    instant(60),
    fc.constantFrom('cutApi', 'cutPodNetwork', 'refuseWrites' as const),
    fc.constantFrom(...NODES),
    instant(15),
  )
  .map(([at, what, node, lasts]): Action => ({ at: micros(seconds(at)), do: what, node, lasts: seconds(lasts) }));

/** Up for a day, for seconds, or starting within the run. */
const kubelet: fc.Arbitrary<KubeletConfig> = fc.record({
  processStart: fc.constantFrom(-86_400, -86_400, -20, -3, 0, 2.5).map((at) => micros(seconds(at))),
  syncLoopDelay: fc.constantFrom(null, seconds(0.04)),
  syncFrequencySeconds: fc.constantFrom(60, 60, 10),
  maxContainerRestartPeriodSeconds: fc.constantFrom(300, 300, 20, 4),
});
/** Those of a quick cluster, none at all, or each of its own. */
const LATENCY_NAMES = Object.keys(DEFAULT_LATENCY) as readonly (keyof Latencies)[];
const someLength = fc.constantFrom(0, 0.1, 1, 7, 40, 300).map(milliseconds);
const latencies = (length: fc.Arbitrary<MicrosSpan>): fc.Arbitrary<Latencies> =>
  fc.record(
    Object.fromEntries(LATENCY_NAMES.map((name) => [name, length])) as {
      [K in keyof Latencies]: fc.Arbitrary<MicrosSpan>;
    },
  );
const latency = fc.oneof(fc.constant(DEFAULT_LATENCY), latencies(fc.constant(milliseconds(0))), latencies(someLength));

/** A scenario of up to three Pods on two nodes, for up to two minutes. */
export const randomScenario: fc.Arbitrary<Scenario> = fc
  .tuple(int(1, 3), podInput('web-0'), podInput('db-0'), podInput('job-0'))
  .map(([count, ...all]) => all.slice(0, count))
  .chain((pods) =>
    fc.record({
      pods: fc.constant(pods),
      podActions: fc.tuple(...pods.map(actionsOn)).map((lists) => lists.flat()),
      nodeActions: fc.oneof(
        fc.constant([]),
        fc.constant([]),
        fc.array(kubeletRestart, { minLength: 1, maxLength: 2 }),
        fc.array(cut, { minLength: 1, maxLength: 2 }),
      ),
      duration: int(20, 120),
      seed: int(0, 1000),
      subsecond: int(0, 999_999),
      kubelet,
      latency,
    }),
  )
  .map(({ pods, podActions, nodeActions, duration, subsecond, ...over }) =>
    scenario(pods, duration, {
      ...over,
      clockSkew: {},
      nodes: NODES,
      actions: [...podActions, ...nodeActions],
      wallClock: 1_767_225_600_000_000 + subsecond,
    }),
  );
