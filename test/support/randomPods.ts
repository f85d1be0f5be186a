import fc from 'fast-check';
import { micros, microsSpan, seconds } from '../../src/base/units.ts';
import type {
  Answer,
  AppRun,
  ContainerInput,
  Hook,
  HookRun,
  PodInput,
  ProbeKind,
  ProbeSpec,
  Scenario,
} from '../../src/sim/scenario.ts';
import { PROBE_KINDS } from '../../src/sim/scenario.ts';
import { bad, broken, container, exitStep, hang, ok, pod, probe, run, scenario, step } from './scenario.ts';

const answer: fc.Arbitrary<Answer> = fc.oneof(
  fc.nat(4000).map(ok),
  fc.nat(4000).map(bad),
  fc.nat(500).map(broken),
  fc.constant(hang()),
);

const randomProbe = (kind: ProbeKind): fc.Arbitrary<ProbeSpec> =>
  fc
    .record({
      initialDelaySeconds: fc.constantFrom(0, 0, 2, 15),
      periodSeconds: fc.constantFrom(1, 2, 5, 10, 60, 300),
      timeoutSeconds: fc.constantFrom(1, 2, 5),
      successThreshold: kind === 'readiness' ? fc.constantFrom(1, 2, 3) : fc.constant(1),
      failureThreshold: fc.constantFrom(1, 2, 3),
      terminationGracePeriodSeconds: kind === 'readiness' ? fc.constant(null) : fc.constantFrom(null, 1, 60),
      handler: fc.record({
        type: fc.constantFrom<ProbeSpec['handler']['type'][]>('exec', 'httpGet', 'tcpSocket', 'grpc'),
        target: fc.constantFrom(':8080/ready', ':5432', '/bin/sh -c "a  b"'),
      }),
    })
    .map(probe);

const randomHook: fc.Arbitrary<Hook | null> = fc.constantFrom<(Hook | null)[]>(
  null,
  { type: 'exec' },
  { type: 'sleep', seconds: 3 },
);
const randomHookRun: fc.Arbitrary<HookRun | null> = fc.option(
  fc.record({ answer, script: fc.constantFrom([], [step(1, bad())]) }),
);

const randomRun: fc.Arbitrary<AppRun> = fc
  .record({
    postStart: randomHookRun,
    preStop: randomHookRun,
    steps: fc.array(fc.tuple(fc.nat(90), answer, fc.constantFrom(undefined, ...PROBE_KINDS)), { maxLength: 4 }),
    exit: fc.option(fc.tuple(fc.nat(60), fc.constantFrom(0, 1, 137))),
    onTerm: fc.option(
      fc.record({
        exitAfter: fc.constantFrom(null, microsSpan(0), seconds(3)),
        exitCode: fc.constantFrom(0, 1),
        script: fc.constant([step(0, bad())]),
      }),
    ),
  })
  .map(({ steps, exit, ...rest }) => {
    const script = [...steps.map((one) => step(...one)), ...(exit ? [exitStep(...exit)] : [])];
    return { ...run(...script.sort((a, b) => a.at - b.at)), ...rest };
  });

const randomContainer = (name: string): fc.Arbitrary<ContainerInput> =>
  fc
    .tuple(
      fc.record(
        {
          startup: randomProbe('startup'),
          readiness: randomProbe('readiness'),
          liveness: randomProbe('liveness'),
        },
        { requiredKeys: [] },
      ),
      fc.array(randomRun, { minLength: 1, maxLength: 3 }),
      fc.record({ postStart: randomHook, preStop: randomHook }),
    )
    .map(([probes, runs, hooks]) => ({ ...container(probes, runs, name), ...hooks }));

/** A Pod of one to three containers with any probes, whose processes answer, hang, exit and ignore SIGTERM at random. */
export const randomPod = (name: string, identity = `default/${name}`): fc.Arbitrary<PodInput> =>
  fc
    .record({
      containers: fc
        .constantFrom(1, 1, 2, 3)
        .chain((n) => fc.tuple(...['app', 'cache', 'agent'].slice(0, n).map(randomContainer))),
      restartPolicy: fc.constantFrom('Always' as const, 'OnFailure' as const, 'Never' as const),
      createdAt: fc.nat(40).map((at) => micros(at * 1_000_000)),
      terminationGracePeriodSeconds: fc.constantFrom(0, 1, 30),
    })
    .map(({ containers, ...over }) => pod(containers, { ...over, identity, name, uid: `${name}-uid` }));

/** A node with those Pods for a minute or two, whose kubelet has run for a day or starts with the scenario. */
export const randomNode = (...pods: readonly fc.Arbitrary<PodInput>[]): fc.Arbitrary<Scenario> =>
  fc
    .tuple(fc.tuple(...pods), fc.nat(1000), fc.constantFrom(50, 120), fc.boolean())
    .map(([all, seed, length, young]) => {
      const made = scenario(all, length, { seed });
      const kubelet = { ...made.kubelet, processStart: micros(0), syncLoopDelay: microsSpan(30_000) };
      return young ? { ...made, kubelet } : made;
    });
