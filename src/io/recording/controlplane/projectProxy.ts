import type { Micros } from '../../../base/units.ts';
import type { Frontend, ServiceRules, Target } from '../../../sim/proxy/rules.ts';
import type { EventKind, EventRef } from '../../../sim/trace/kinds.ts';
import type { TraceReader } from '../../../sim/trace/reader.ts';
import type { RecordedEvent } from '../event.ts';
import { nameOf, type Placed, placed, type TraceEventOf, unlessEmpty } from './placed.ts';
import { compareText } from './projectObjects.ts';

type ProxyKind = Extract<
  EventKind,
  | 'proxyChange'
  | 'proxySync'
  | 'rulesChanged'
  | 'proxySyncFailed'
  | 'proxyError'
  | 'proxyNotInitialised'
  | 'proxyTopology'
  | 'deleteStaleChains'
  | 'conntrackList'
  | 'conntrackDelete'
  | 'healthCheck'
>;

/** A sync ends after everything else that it did, and before what its rules changed. */
const RANK = { during: 0, end: 1, backends: 2 } as const;

/** Lanes proxy and healthcheck. */
export class ProxyProjection {
  private readonly reader: TraceReader;
  /** Proxies of both families: only theirs say which. */
  private readonly dualStack: ReadonlySet<string>;
  /** Frontends in force by proxy, family and Service. */
  private readonly inForce = new Map<string, ReadonlyMap<string, Frontend>>();

  constructor(reader: TraceReader, dualStack: ReadonlySet<string>) {
    this.reader = reader;
    this.dualStack = dualStack;
  }

  project(event: TraceEventOf<ProxyKind>): Placed[] {
    const { at, kind, payload, subject } = event;
    const proxy = subject.object;
    const one = (type: string, fields: object, rank: number = RANK.during): Placed[] => [
      placed(at, 'proxy', type, { proxy, ...fields }, rank),
    ];
    switch (kind) {
      case 'proxyChange':
        return one('change', { object: payload.kind, op: payload.op, name: nameOf(payload.name) });
      case 'proxySync':
        return syncOf(event, { proxy, ...this.familyOf(proxy, payload.family) });
      case 'rulesChanged':
        return this.backends(event);
      case 'proxySyncFailed':
        return one('syncFailed', { retryMs: payload.retry / 1000 });
      case 'proxyError':
        return one('error', payload);
      case 'proxyNotInitialised':
        return one('notInitialised', {});
      case 'proxyTopology': {
        const labels = JSON.parse(payload.labels) as Readonly<Record<string, string>>;
        return payload.which === 'change'
          ? one('topologyChange', { labels })
          : one('topologyLabels', { labels: goMap(labels) });
      }
      case 'deleteStaleChains':
        return one('deleteStaleChains', { chains: String(payload.chains) });
      case 'conntrackList':
        return one('conntrackList', payload);
      case 'conntrackDelete': {
        const { protocol, ...fields } = payload;
        return one('conntrackDelete', { ...fields, proto: protocol.toLowerCase() });
      }
      case 'healthCheck':
        return [placed(at, 'healthcheck', 'set', { proxy, ...payload, service: nameOf(payload.service) })];
    }
  }

  private familyOf(proxy: string, family: string): object {
    return this.dualStack.has(proxy) ? unlessEmpty('family', family) : {};
  }

  /** The frontends of a Service whose answer has changed. */
  private backends({ ref, subject, payload }: TraceEventOf<'rulesChanged'>): Placed[] {
    const at = this.endOfSync(ref);
    if (at === null) return [];
    const proxy = subject.object;
    const { service, family, rules } = payload;
    const key = `${proxy} ${family} ${service}`;
    const before = this.inForce.get(key) ?? new Map<string, Frontend>();
    const now = new Map(this.frontendsOf(rules).map((frontend) => [frontend.frontend, frontend]));
    this.inForce.set(key, now);
    const changed = [...now.values()].filter(
      (frontend) => JSON.stringify(frontend) !== JSON.stringify(before.get(frontend.frontend)),
    );
    const gone = [...before.values()].filter(({ frontend }) => !now.has(frontend));
    const common = { proxy, ...this.familyOf(proxy, family) };
    const shown = (fields: object): Placed => placed(at, 'proxy', 'backends', { ...common, ...fields }, RANK.backends);
    return [
      ...changed.map((frontend) => shown(frontendFields(service, frontend))),
      ...gone.map(({ frontend, kind, port }) =>
        shown({ frontend, kind, service: portName(service, port), verdict: 'none' }),
      ),
    ];
  }

  /** Recordings look at the rules when a sync is over; those of ipvs change earlier. Null: it is not over. */
  private endOfSync(change: EventRef): Micros | null {
    const [sync] = this.reader.causesOf(change);
    const { end } = this.reader.event(sync ?? change);
    return Number.isNaN(end) ? null : end;
  }

  private frontendsOf(version: number): readonly Frontend[] {
    return version < 0 ? [] : (JSON.parse(this.reader.versionText(version)) as ServiceRules).frontends;
  }
}

/** Without the end of a frontend that another Service has from the same sync on: clients meet an answer all the time. */
export function withoutMoved(events: readonly RecordedEvent[]): readonly RecordedEvent[] {
  const keyOf = ({ t, proxy, family, frontend }: RecordedEvent): string => `${t} ${proxy} ${family} ${frontend}`;
  const answers = events.filter(({ type, verdict }) => type === 'backends' && verdict !== 'none').map(keyOf);
  const answered = new Set(answers);
  return events.filter((event) => event.verdict !== 'none' || !answered.has(keyOf(event)));
}

function syncOf({ at, end, payload }: TraceEventOf<'proxySync'>, common: object): Placed[] {
  const start = placed(at, 'proxy', 'syncStart', { ...common, full: payload.isFull === 1 });
  if (Number.isNaN(end)) return [start];
  const fields = {
    elapsedUs: end - at,
    ...parsed('write', payload.write),
    ...programming(payload.networkProgramming),
  };
  return [start, placed(end, 'proxy', 'syncEnd', { ...common, ...fields }, RANK.end)];
}

/** A field of the trace that holds a JSON object; nothing when that is empty. */
function parsed(name: string, json: string): object {
  const value = json === '' ? {} : (JSON.parse(json) as object);
  return Object.keys(value).length === 0 ? {} : { [name]: value };
}

/** Times since the trigger, by the Service's name; their order is that of Go's map, so recordings sort their texts. */
function programming(json: string): object {
  const times = json === '' ? [] : (JSON.parse(json) as readonly ProgrammingTime[]);
  if (times.length === 0) return {};
  const named = times.map((time) => ({ ...time, service: nameOf(time.service) }));
  const inOrder = named.sort((a, b) => compareText(textOf(a), textOf(b)));
  return { networkProgramming: inOrder };
}
const textOf = ({ elapsedUs, service }: ProgrammingTime): string => JSON.stringify({ elapsedUs, service });
interface ProgrammingTime {
  readonly service: string;
  readonly elapsedUs: number;
}

const portName = (service: string, port: string): string => (port ? `${nameOf(service)}:${port}` : nameOf(service));

const targetFields = ({ verdict, backends }: Target): object => ({
  verdict,
  ...(backends.length > 0 && { backends }),
});

function frontendFields(service: string, rules: Frontend): object {
  const { port, fromNode, fromLocalPods, verdict, backends, ...same } = rules;
  return {
    ...same,
    ...targetFields({ verdict, backends }),
    service: portName(service, port),
    ...(fromNode && { fromNode: targetFields(fromNode) }),
    ...(fromLocalPods && { fromLocalPods: targetFields(fromLocalPods) }),
  };
}

/** Labels as Go prints a map. */
const goMap = (labels: Readonly<Record<string, string>>): string =>
  `map[${Object.keys(labels)
    .sort()
    .map((key) => `${key}:${labels[key]}`)
    .join(' ')}]`;
