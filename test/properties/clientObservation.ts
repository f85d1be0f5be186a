/** A finished run as the invariants of clients look at it. */
import type { ClientInput } from '../../src/sim/clientInput.ts';
import type { TraceEvent } from '../../src/sim/trace/reader.ts';
import { type RulesVersion, rulesOf } from '../../src/sim/trace/rulesInForce.ts';
import { RunEvents } from './runEvents.ts';

export type Attempt = TraceEvent<'clientAttempt'>;
interface Connection {
  readonly opened: TraceEvent<'connectionOpened'>;
  /** When it was closed; Infinity while it is open. */
  readonly until: number;
}

/** Everything is computed once, on first use. */
export class ClientObservation extends RunEvents {
  private readonly rules = new Map<string, readonly RulesVersion[]>();
  private readonly attempts = new Map<string, Attempt[]>();
  private readonly connections = new Map<string, Connection>();

  constructor(...args: ConstructorParameters<typeof RunEvents>) {
    super(...args);
    for (const { name } of this.clients) this.attempts.set(name, []);
    for (const attempt of this.of('clientAttempt')) this.attempts.get(attempt.subject.object)?.push(attempt);
    const closed = new Map(this.of('connectionClosed').map((event) => [keyOf(event), event.at]));
    for (const opened of this.of('connectionOpened'))
      this.connections.set(keyOf(opened), { opened, until: closed.get(keyOf(opened)) ?? Number.POSITIVE_INFINITY });
  }

  get clients(): readonly ClientInput[] {
    return this.scenario.cluster?.clients ?? [];
  }

  attemptsOf({ name }: ClientInput): readonly Attempt[] {
    return this.attempts.get(name) ?? [];
  }

  /** The connection that an attempt goes over, if that was there before. */
  reusedBy(attempt: Attempt): Connection | null {
    const found = this.connections.get(keyOf(attempt));
    return found && found.opened.at <= attempt.at ? found : null;
  }

  /** Backends of the port that the client asks for, in the rules in force on the node that decided. */
  inForce({ service }: ClientInput, { payload, at }: Attempt): readonly string[] {
    const version = this.rulesOfNode(payload.via).findLast((one) => one.at <= at && one.service === service?.service);
    const frontends = version?.frontends.filter(({ port }) => port === service?.port) ?? [];
    return frontends.flatMap(({ backends, fromNode, fromLocalPods }) => [
      ...backends,
      ...(fromNode?.backends ?? []),
      ...(fromLocalPods?.backends ?? []),
    ]);
  }

  private rulesOfNode(node: string): readonly RulesVersion[] {
    let known = this.rules.get(node);
    if (!known) {
      const proxies = (this.scenario.cluster?.proxies ?? []).filter((proxy) => proxy.node === node);
      known = proxies.flatMap(({ name }) => rulesOf(this.reader, name));
      this.rules.set(node, known);
    }
    return known;
  }
}

const keyOf = ({ subject, payload }: Attempt | TraceEvent<'connectionOpened' | 'connectionClosed'>): string =>
  `${subject.object} ${payload.connection}`;
