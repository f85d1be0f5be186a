import { describe, expect, it } from 'vitest';
import { probe } from '../../../test/support/scenario.ts';
import { microsSpan } from '../../base/units.ts';
import type { ContainerInput, ProbeSpec } from '../../sim/scenario.ts';
import { appRunOf } from './appScript.ts';
import type { ScriptStep } from './world.ts';

const PORTS = ['8080', '8081'];
const LISTENS_AFTER = microsSpan(2_000);
const by = (type: ProbeSpec['handler']['type'], target: string): ContainerInput['probes'] => ({
  startup: null,
  readiness: probe({ handler: { type, target } }),
  liveness: null,
});
const HTTP = by('httpGet', ':8080/ready');

/** `<ms> <outcome> <client>` of each step; the outcome is `hangs` where it never comes. */
const told = (script: readonly ScriptStep[], probes = HTTP): string[] =>
  appRunOf({ script, onSigterm: undefined, ports: PORTS }, LISTENS_AFTER, probes).script.map(
    ({ at, answers, serve, exit }) => {
      const { outcome, takes } = answers.readiness ?? { outcome: 'none', takes: 0 };
      const says = takes === Number.POSITIVE_INFINITY ? 'hangs' : takes > 1e6 ? `${outcome} slowly` : outcome;
      return `${at / 1000} ${says} ${serve?.state}${exit === null ? '' : ` exit ${exit}`}`;
    },
  );

describe("the recordings' app", () => {
  it.each<[name: string, script: ScriptStep[], probes: ContainerInput['probes'], told: string[]]>([
    ['opens its port a little after its start', [], HTTP, ['0 failure refuse', '2 success answer']],
    [
      'that opens its port later refuses until then',
      [{ at: 3000, listen: true }],
      HTTP,
      ['0 failure refuse', '2 failure refuse', '3000 success answer'],
    ],
    [
      'answers by path from a step on',
      [
        { at: 0, path: '/ready', code: 503 },
        { at: 4000, path: '/ready', code: 302 },
      ],
      HTTP,
      ['0 failure refuse', '2 failure answer', '4000 success answer'],
    ],
    [
      'answers slowly',
      [{ at: 4000, path: '/ready', delay: 4000 }],
      HTTP,
      ['0 failure refuse', '2 success answer', '4000 success slowly answer'],
    ],
    [
      'is asked by exec whatever its port does',
      [],
      by('exec', 'cat /tmp/ready'),
      ['0 failure refuse', '2 failure answer'],
    ],
    [
      'has the file that the command wants',
      [{ at: 0, file: '/tmp/ready' }],
      by('exec', 'cat /tmp/ready'),
      ['0 failure refuse', '2 success answer'],
    ],
    [
      'makes a command sleep by a file',
      [{ at: 5000, file: '/tmp/slow' }],
      by('exec', 'sh -c if test -f /tmp/slow; then sleep 5; fi'),
      ['0 success refuse', '2 success answer', '5000 success slowly answer'],
    ],
    [
      'keeps a gRPC client waiting while its port is closed',
      [{ at: 5000, grpc: 'NOT_SERVING' }],
      by('grpc', ':8081'),
      ['0 hangs refuse', '2 success answer', '5000 failure answer'],
    ],
    [
      'has no file yet where the command wants it gone',
      [{ at: 3000, file: '/tmp/down' }],
      by('exec', 'sh -c "test ! -f /tmp/down"'),
      ['0 success refuse', '2 success answer', '3000 failure answer'],
    ],
    [
      'makes a command sleep without any file',
      [],
      by('exec', 'sh -c "sleep 2"'),
      ['0 success slowly refuse', '2 success slowly answer'],
    ],
    ['refuses at a port that it does not open', [], by('tcpSocket', ':9090'), ['0 failure refuse', '2 failure answer']],
    ['cannot be asked at a port without a number', [], by('httpGet', ':web/'), ['0 error refuse', '2 error answer']],
    [
      'answers a path whatever its query',
      [{ at: 0, path: '/ready', code: 503 }],
      by('httpGet', ':8080/ready?deep=1'),
      ['0 failure refuse', '2 failure answer'],
    ],
    ['ends', [{ at: 3000, exit: 1 }], HTTP, ['0 failure refuse', '2 success answer', '3000 success answer exit 1']],
  ])('%s', (_name, script, probes, expected) => {
    expect(told(script, probes)).toEqual(expected);
  });

  it.each<[name: string, onSigterm: string | undefined, exitAfter: number | null, closes: boolean]>([
    ['leaves at once on SIGTERM', undefined, 2_000, false],
    ['serves on for as long as it says', 'serve:3000', 3_000_000, false],
    ['closes its port and leaves later', 'close:5000', 5_000_000, true],
    ['ignores SIGTERM', 'ignore', null, false],
  ])('%s', (_name, onSigterm, exitAfter, closes) => {
    const { onTerm } = appRunOf({ script: [], onSigterm, ports: PORTS }, LISTENS_AFTER, HTTP);
    expect(onTerm?.exitAfter).toBe(exitAfter);
    expect(onTerm?.script.some(({ serve }) => serve?.state === 'refuse')).toBe(closes);
  });
});
