import { sameData } from '../../../base/equal.ts';
import type { RecordedEvent } from '../event.ts';
import type { ControlPlaneRecording, RecordedObject } from './recording.ts';
import type { RecordedState } from './stateAt.ts';

/**
 * Exchanges what a run generated for what the recording generated: names of slices, and resource versions, whose counter
 * begins anywhere. Equal names mean equal slices: by what they hold before t = 0, and by their creation after that.
 */
export class Exchange {
  private readonly names: ReadonlyMap<string, string>;
  private readonly pattern: RegExp | null;
  private readonly offset: number;

  /** `events` are the run's from its very start, `initial` its state at 0. */
  constructor(recording: ControlPlaneRecording, events: readonly RecordedEvent[], initial: RecordedState) {
    const { anonymousSlices } = recording.scenario.world.recording;
    this.names = anonymousSlices ? anonymousNames(events) : renaming(recording, events, initial);
    const names = [...this.names.keys()];
    this.pattern = names.length > 0 ? new RegExp(`\\b(?:${names.join('|')})\\b`, 'g') : null;
    const last = events.findLast(({ t, lane, rv }) => t < 0 && lane !== 'watch' && rv !== undefined);
    this.offset = Number(recording.initial.rv) - Number(last?.rv ?? 0);
  }

  /** The event or object in the recording's words. */
  of<T extends RecordedObject>(object: T): T {
    const { rv } = object;
    const renamed = this.pattern ? (JSON.parse(this.text(JSON.stringify(object))) as T) : object;
    const { error } = renamed;
    return {
      ...renamed,
      ...(typeof rv === 'string' && { rv: this.version(rv) }),
      ...(typeof error === 'string' && {
        error: error.replace(/resource version (\d+)/g, (_all, version) => `resource version ${this.version(version)}`),
      }),
    };
  }

  private version(text: string): string {
    return String(Number(text) + this.offset);
  }

  private text(json: string): string {
    return this.pattern ? json.replace(this.pattern, (name) => this.names.get(name) as string) : json;
  }
}

/** Creations of slices with generated names. */
const creations = (events: readonly RecordedEvent[]): readonly RecordedEvent[] =>
  events.filter(({ lane, type, generateName }) => lane === 'api' && type === 'write' && generateName !== undefined);

const anonymousNames = (events: readonly RecordedEvent[]): ReadonlyMap<string, string> =>
  new Map(creations(events).map(({ name, generateName }) => [String(name), `${generateName}*`]));

function renaming(
  { initial, events: recorded }: ControlPlaneRecording,
  events: readonly RecordedEvent[],
  state: RecordedState,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const unnamed = ({ name: _name, ...object }: RecordedObject): RecordedObject => object;
  const left = [...initial.endpointslices];
  for (const slice of state.endpointslices) {
    const service = left.filter((one) => one.service === slice.service);
    const same = service.find((one) => sameData(unnamed(one), unnamed(slice))) ?? service[0];
    if (!same) continue;
    left.splice(left.indexOf(same), 1);
    names.set(String(slice.name), String(same.name));
  }
  const made = creations(events).filter(({ t }) => t >= 0);
  for (const creation of creations(recorded)) {
    const key = ({ actor, generateName }: RecordedEvent): string => `${actor} ${generateName}`;
    const place = made.findIndex((one) => key(one) === key(creation));
    if (place < 0) continue;
    const [one] = made.splice(place, 1);
    names.set(String(one?.name), String(creation.name));
  }
  return names;
}
