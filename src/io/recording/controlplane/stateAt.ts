import type { RecordedEvent } from '../event.ts';
import { compareText } from './projectObjects.ts';
import type { RecordedObject } from './recording.ts';

/** What is stored, and what connections meet, as `initial` has it. */
export interface RecordedState {
  readonly endpoints: readonly RecordedObject[];
  readonly endpointslices: readonly RecordedObject[];
  readonly backends: readonly RecordedObject[];
}

/** The state that the events before `until` (µs) have made. */
export function stateAt(events: readonly RecordedEvent[], until: number): RecordedState {
  const endpoints = new Map<string, RecordedObject>();
  const slices = new Map<string, RecordedObject>();
  const backends = new Map<string, RecordedObject>();
  for (const event of events) {
    if (event.t >= until) break;
    const { t: _t, lane, type, rv: _rv, ...object } = event;
    if (lane === 'endpoints') keep(endpoints, String(object.name), type === 'object', object);
    if (lane === 'endpointslices') keep(slices, String(object.name), type === 'object', object);
    if (lane === 'proxy' && type === 'backends')
      keep(backends, `${object.proxy} ${object.family} ${object.frontend}`, object.verdict !== 'none', object);
  }
  return { endpoints: sorted(endpoints), endpointslices: sorted(slices), backends: sorted(backends) };
}

function keep(map: Map<string, RecordedObject>, key: string, exists: boolean, object: RecordedObject): void {
  if (exists) map.set(key, object);
  else map.delete(key);
}

const sorted = (map: ReadonlyMap<string, RecordedObject>): readonly RecordedObject[] =>
  [...map.entries()].sort(([a], [b]) => compareText(a, b)).map(([, object]) => object);
