import { describe, expect, it } from 'vitest';
import { readRun } from '../../../../test/support/readRun.ts';
import {
  bad,
  broken,
  container,
  exitStep,
  hang,
  ok,
  pod,
  probe,
  run,
  scenario,
  step,
} from '../../../../test/support/scenario.ts';
import type { Answer, AppRun, ProbeKind, ProbeSpec } from '../../scenario.ts';

/** The first attempt of a liveness probe, and the event that it left. */
function firstAttempt(
  answer: Answer,
  spec: Partial<ProbeSpec> = {},
  app: AppRun = run(step(0, answer)),
  kind: ProbeKind = 'liveness',
) {
  const ran = readRun(scenario([pod([container({ [kind]: probe({ timeoutSeconds: 2, ...spec }) }, [app])])], 30));
  const [attempt] = ran.all('probeRun', ({ payload }) => payload.outcome === 'attempt');
  const [unhealthy] = ran.all('kubeEvent', ({ payload }) => payload.reason === 'Unhealthy');
  return {
    attempt,
    seconds: attempt ? (attempt.end - attempt.at) / 1e6 : Number.NaN,
    message: unhealthy?.payload.message,
  };
}

describe('an attempt', () => {
  it.each<[string, Answer, string, string, number, string | undefined]>([
    ['that succeeds takes what the answer takes', ok(300), 'success', 'success', 0.3, undefined],
    ['that fails says what the answer says', bad(300), 'failure', 'failure', 0.3, 'Liveness probe failed: no'],
    [
      'that hangs is cut at timeoutSeconds and is a failure',
      hang(),
      'failure',
      'timeout',
      2,
      'Liveness probe failed: command timed out: "/probe" timed out after 2s',
    ],
    [
      'that takes the whole timeout is a failure too',
      ok(2000),
      'failure',
      'timeout',
      2,
      'Liveness probe failed: command timed out: "/probe" timed out after 2s',
    ],
    [
      'that cannot be run is tried three times in a row (K-135)',
      broken(100),
      'error',
      'error,error,error',
      0.3,
      'Liveness probe errored and resulted in unknown state: cannot run',
    ],
  ])('%s', (_name, answer, result, tries, seconds, message) => {
    const found = firstAttempt(answer);
    expect(found.attempt?.payload).toMatchObject({ result, tries });
    expect(found.seconds).toBeCloseTo(seconds, 6);
    expect(found.message).toBe(message);
  });

  it('that fails after errors has tried once for each', () => {
    const app = run(step(0, broken(1000)), step(11, bad(1)));
    expect(firstAttempt(broken(), { timeoutSeconds: 5 }, app).attempt?.payload.tries).toMatch(
      /^error,(error,)?(error|failure)$/,
    );
  });

  it('ends with its process, and is a failure then', () => {
    const app = run(step(0, hang()), exitStep(10.5, 1));
    const found = firstAttempt(hang(), { timeoutSeconds: 30 }, app);
    expect(found.attempt?.payload).toMatchObject({ result: 'failure', tries: 'killed' });
    expect(found.seconds).toBeLessThan(2);
  });

  it.each<[ProbeSpec['handler'], string]>([
    [
      { type: 'httpGet', target: ':8080/ready' },
      'Get "http://:8080/ready": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
    ],
    [{ type: 'tcpSocket', target: ':5432' }, 'dial tcp :5432: i/o timeout'],
    [{ type: 'grpc', target: ':9000' }, 'timeout: health rpc did not complete within 2s'],
  ])('of %o that is cut says so in its own words', (handler, words) => {
    expect(firstAttempt(hang(), { handler }).message).toBe(`Liveness probe failed: ${words}`);
  });

  it('that never gets an answer may say why: a closed gRPC port (K-148)', () => {
    const refused: Answer = { ...hang(), outcome: 'failure', message: 'failed to connect' };
    expect(firstAttempt(refused, { handler: { type: 'grpc', target: ':9000' } }).message).toBe(
      'Liveness probe failed: failed to connect',
    );
  });
});
