import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { play } from '../src/cli/play.ts';
import { checkReality } from '../src/io/reality/checkReality.ts';
import { seeded } from '../src/io/reality/deletions.ts';
import { hopsOf } from '../src/io/reality/hops.ts';
import { readObservations } from '../src/io/reality/readObservations.ts';
import type { ReadFile } from '../src/io/reality/recordingFiles.ts';
import { realityOf } from '../src/io/reality/toScenario.ts';
import { readWorld } from '../src/io/reality/world.ts';
import { TraceReader } from '../src/sim/trace/reader.ts';

const FOLDER = new URL('./reality/slow-start-long-period/', import.meta.url);
const PLAIN = ['world.json', 'manifests.yaml'];
const read: ReadFile = (name) => {
  if (PLAIN.includes(name)) return readFileSync(new URL(name, FOLDER), 'utf8');
  return gunzipSync(readFileSync(new URL(`${name}.gz`, FOLDER))).toString();
};
const world = readWorld(read);
const seen = readObservations(read, world);

describe('a recording of a real cluster: a Pod that waits for its second probe, 20 s after the first', () => {
  it('shows the hops of its README', () => {
    const lengths = hopsOf(seen, world.proxy.mode).map(
      ({ key, from, to }) => `${key}: ${((to - from) / 1000).toFixed(1)}`,
    );
    expect(lengths).toMatchInlineSnapshot(`
      [
        "01 web-0/app/readiness/0#1: 4.2",
        "02 web-0/readiness/good#1: 0.2",
        "03 web-0/readiness/good#1: 2.6",
        "04 web-0/not ready#1: 4.9",
        "05 web-0/not ready#1: 6.7",
        "04 web-0/ready#1: 4.3",
        "05 web-0/ready#1: 5.3",
        "06 web/web-0/joins#1: 2.5",
        "07a web/web-0/joins#1: 2.7",
        "07b web/web-0/joins#1: 4.0",
        "08 web/web-0/joins#1, within 1 s of the last sync: 754.4",
        "09 web/web-0/joins#1: 27.4",
        "10 web/web-0/joins#1: 1.5",
        "11 web/web-0/joins#1, within 1 s of the last sync: 796.9",
      ]
    `);
  });

  it('becomes a scenario that has everything at its recorded instant', () => {
    const { scenario } = realityOf(read, world, seen);
    const [pod] = scenario.pods;
    expect(scenario.wallClock).toBe(world.t0Us);
    expect(pod?.identity).toBe('slow-start-long-period/web-0');
    expect(pod?.containers[0]?.runs[0]?.script.map(({ at }) => at / 1000)).toContain(1200);
    expect(scenario.cluster?.proxies[0]?.neighbours?.length).toBeGreaterThan(10);
    expect(scenario.cluster?.clients.map(({ name, count }) => `${name} ${count}`)).toEqual(['web 2199']);
  });

  it('is simulated with the container started at its recorded instant, whatever the seed', () => {
    const reality = realityOf(read, world, seen);
    const startedAt = [1, 2].map((seed) => {
      const reader = new TraceReader(play(seeded(reality, seed).scenario).trace);
      return reader.events().find(({ kind }) => kind === 'startContainer')?.end;
    });
    const recorded = (world.containers[0]?.startedUs ?? 0) - world.t0Us;
    expect(startedAt).toEqual([recorded, recorded]);
  });

  it('lies in the range of a few simulations, every hop', () => {
    const placed = checkReality(read, play, 5);
    expect(placed.filter(({ isInside }) => !isInside)).toEqual([]);
    expect(placed.every(({ simulated }) => simulated.length > 0)).toBe(true);
  });

  it('is the same comparison each time', () => {
    expect(checkReality(read, play, 2)).toEqual(checkReality(read, play, 2));
  });
});
