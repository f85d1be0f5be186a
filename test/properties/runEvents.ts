/** The events of a finished run and what led to what. */
import type { Scenario } from '../../src/sim/scenario.ts';
import { simulate } from '../../src/sim/simulate.ts';
import type { EventKind } from '../../src/sim/trace/kinds.ts';
import { type TraceEvent, TraceReader } from '../../src/sim/trace/reader.ts';

export class RunEvents {
  readonly scenario: Scenario;
  readonly reader: TraceReader;
  readonly events: readonly TraceEvent[];
  private readonly byKind = new Map<EventKind, TraceEvent[]>();

  constructor(scenario: Scenario) {
    this.scenario = scenario;
    this.reader = new TraceReader(simulate(scenario));
    this.events = this.reader.events();
    for (const event of this.events) {
      const list = this.byKind.get(event.kind);
      if (list) list.push(event);
      else this.byKind.set(event.kind, [event]);
    }
  }

  get horizon(): number {
    return this.scenario.duration;
  }

  of<K extends EventKind>(kind: K): readonly TraceEvent<K>[] {
    return (this.byKind.get(kind) ?? []) as readonly TraceEvent[] as readonly TraceEvent<K>[];
  }

  causes({ ref }: TraceEvent): readonly TraceEvent[] {
    return this.reader.causesOf(ref).map((cause) => this.reader.event(cause));
  }

  /** The nearest event of a kind behind an event, along first causes. */
  ancestor<K extends EventKind>(event: TraceEvent, kind: K): TraceEvent<K> | null {
    for (let at: TraceEvent | undefined = event; at; at = this.causes(at)[0]) {
      if (at.kind === kind) return at as TraceEvent as TraceEvent<K>;
    }
    return null;
  }

  /** A stored version of an object. */
  json(version: number): unknown {
    return JSON.parse(this.reader.versionText(version));
  }
}
