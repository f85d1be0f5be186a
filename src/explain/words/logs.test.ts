import { describe, expect, it } from 'vitest';
import { recordedRun } from '../../../test/support/recorded.ts';
import { eventEn } from './eventEn.ts';
import { eventZh } from './eventZh.ts';
import { LOGS as LOGS_EN } from './logEn.ts';
import { logText } from './logs.ts';
import { LOGS as LOGS_ZH } from './logZh.ts';

describe('what controllers of workloads and nodes log', () => {
  it.each([
    'rolling-default-01',
    'r-sts-03',
    'sts-stuck-01',
    'ds-surge-01',
    'ds-failed-01',
    'all-nodes-down-01',
    'taint-no-execute-01',
    'node-deleted-01',
    'out-of-service-01',
  ])('is said in both languages, with its values: %s', (name) => {
    const logs = recordedRun(`workloads/${name}`)
      .reader.events()
      .filter((event) => event.kind === 'controllerLog' && event.subject.component !== 'endpointSliceController');
    expect(logs.length).toBeGreaterThan(0);
    for (const event of logs) {
      if (event.kind !== 'controllerLog') continue;
      expect(Object.keys(LOGS_EN)).toContain(event.payload.message);
      for (const words of [eventEn, eventZh]) expect(words.event(event)).not.toMatch(/undefined|NaN|[,，] ?[:：]/);
    }
  });

  it('has the same phrases in both languages', () => {
    expect(Object.keys(LOGS_ZH)).toEqual(Object.keys(LOGS_EN));
  });

  it('shows a message that has no phrase with its values', () => {
    expect(logText(LOGS_EN, 'zone moved', '{"from":"a","count":2}')).toBe('zone moved: from "a", count 2');
    expect(logText(LOGS_EN, 'toString', '')).toBe('toString');
  });
});
