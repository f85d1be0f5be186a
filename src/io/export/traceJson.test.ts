import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bad, container, exitStep, ok, pod, probe, run, scenario, step } from '../../../test/support/scenario.ts';
import { simulate } from '../../sim/simulate.ts';
import { TraceReader } from '../../sim/trace/reader.ts';
import { type TraceJson, traceToJson } from './traceJson.ts';

/** A container that is killed once, crashes and crashes again; the horizon cuts what is under way. */
const crashing = container({ readiness: probe({ periodSeconds: 3 }), liveness: probe({ periodSeconds: 2 }) }, [
  run(step(0, ok()), step(8, bad())),
  run(step(0, ok()), exitStep(5, 1)),
]);
const reader = new TraceReader(simulate(scenario([pod([crashing])], 60)));
const json = JSON.parse(JSON.stringify(traceToJson(reader, 'v1.37.2', () => true))) as TraceJson;
const text = readFileSync(join(import.meta.dirname, '../../../docs/trace-json.md'), 'utf8');

/** Rows of the documented tables: first cell without its marks → the other cells. */
const documented = new Map(
  text.split('\n').flatMap((line) => {
    const [, first, ...cells] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    return first ? first.split(', ').map((name) => [name.replaceAll('`', ''), cells] as const) : [];
  }),
);
const key = ([row, ordinal]: readonly [number, number]): string => `${row}/${ordinal}`;
const place = new Map(json.events.map(({ id }, index) => [key(id), index]));

describe('the JSON form of a run', () => {
  it('has the fields that docs/trace-json.md lists, and no others', () => {
    const fields = new Set([json, ...json.events].flatMap((one) => Object.keys(one)));
    for (const field of fields) expect([...documented.keys()]).toContain(field);
    const versions = Object.values(json.objects).flat();
    expect(new Set(versions.flatMap((one) => Object.keys(one)))).toEqual(new Set(['version', 'since', 'content']));
  });

  it('has the component, the payload and an end only where the kind is documented with them', () => {
    for (const { kind, component, payload, end } of json.events) {
      const [where = '', shape, fields = ''] = documented.get(kind) ?? [];
      expect([kind, where]).toEqual([kind, `\`${component}\``]);
      expect([kind, ...Object.keys(payload)]).toEqual([
        kind,
        ...[...fields.matchAll(/`(\w+)`/g)].map(([, name]) => name),
      ]);
      if (end !== undefined) expect([kind, shape]).toEqual([kind, 'span']);
    }
  });

  it('lists events by time, each id once, causes and what armed it before it', () => {
    expect(place.size).toBe(json.events.length);
    for (const [index, event] of json.events.entries()) {
      expect(event.t).toBeGreaterThanOrEqual(json.events[index - 1]?.t ?? event.t);
      if (event.end) expect(event.end).toBeGreaterThan(event.t);
      for (const id of [...(event.causes ?? []), ...(event.armedBy ? [event.armedBy] : [])]) {
        expect(place.get(key(id))).toBeLessThan(index);
      }
    }
  });

  it('holds every object version that an event points to, in order of time', () => {
    const versions = Object.values(json.objects).flat();
    const known = new Set(versions.map(({ version }) => version));
    const pointed = json.events.map(({ payload }) => payload.object).filter((object) => object !== undefined);
    expect(pointed.length).toBeGreaterThan(10);
    for (const object of pointed) expect(object === -1 || known.has(Number(object))).toBe(true);
    for (const list of Object.values(json.objects)) {
      const times = list.map(({ since }) => since);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    }
  });

  it('writes null for an end that the horizon cut off', () => {
    const cut = traceToJson(new TraceReader(simulate(scenario([pod([crashing])], 0.3))), 'v1.37.2', () => true);
    const open = cut.events.filter(({ end }) => end === null).map(({ kind }) => kind);
    expect(open).toEqual(['syncPod', 'syncPodStep', 'runPodSandbox']);
  });
});
