/** Lanes of one kube-proxy: the rules in force for each port of a Service, and the syncs that write them. */
import { hostOf } from '../../base/ipAddress.ts';
import { later, type Micros } from '../../base/units.ts';
import type { ProxyInput } from '../../sim/clusterInput.ts';
import type { Frontend } from '../../sim/proxy/rules.ts';
import type { EventRef } from '../../sim/trace/kinds.ts';
import type { TraceReader } from '../../sim/trace/reader.ts';
import { type RulesVersion, rulesOf } from '../../sim/trace/rulesInForce.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import { bandsFrom, type Change } from './bands.ts';
import { rulesLaneId } from './controlPlaneLaneOf.ts';
import { emptyLane } from './lane.ts';
import type { Bar, GlyphRun, Lane, Wait } from './marks.ts';
import { instant } from './podLanes.ts';
import { isKind, type Row } from './rows.ts';
import { backendPods } from './silentBackends.ts';

const NOWHERE = { node: '', pod: '' } as const;
type Look = Pick<Change, 'tone' | 'pattern' | 'word' | 'note'>;
const NO_RULES: Look = { tone: 'idle', pattern: 'absent', word: 'no rules', note: '' };

/** Rules of each Service port that the proxy ever knew, then its syncs. */
export const proxyLanes = (run: FinishedRun, proxy: ProxyInput): readonly Lane[] => [
  ...rulesLanes(run, proxy),
  ruleSyncLane(run, proxy),
];

function rulesLanes({ reader }: FinishedRun, { name: proxy }: ProxyInput): readonly Lane[] {
  const versions = rulesOf(reader, proxy);
  const ports = new Map<string, { readonly service: string; readonly port: string }>();
  for (const { service, frontends } of versions) {
    for (const { port } of frontends) ports.set(rulesLaneId(proxy, service, port), { service, port });
  }
  return [...ports].map(([id, { service, port }]) => {
    const name = service.slice(service.indexOf('/') + 1);
    const bands = rulesBands(
      versions.filter((version) => version.service === service),
      port,
      reader,
    );
    return {
      ...emptyLane(NOWHERE, 'rules', ''),
      id,
      part: proxy,
      title: port === '' ? name : `${name}:${port}`,
      bands,
    };
  });
}

function rulesBands(versions: readonly RulesVersion[], port: string, reader: TraceReader) {
  const start = Math.min(0, versions[0]?.at ?? 0) as Micros;
  const changes = versions.flatMap(({ at, ref, frontends }, i): readonly Change[] => {
    const frontend = frontends.find((candidate) => candidate.port === port);
    const look = frontend === undefined ? NO_RULES : lookOf(frontend);
    const until = versions[i + 1]?.at ?? reader.data.horizon;
    return [{ at, ref, ...look }, ...silences(reader, frontend?.backends ?? [], { at, until, ref, look })];
  });
  return bandsFrom([{ at: start, ref: null, ...NO_RULES }, ...changes], reader.data.horizon);
}

/** The number of backends and, while they are few, which. */
const NAMED_BACKENDS = 3;
function lookOf({ verdict, backends }: Frontend): Look {
  if (verdict === 'dnat' && backends.length > 0) {
    const note = backends.length <= NAMED_BACKENDS ? backends.join('  ') : '';
    return { tone: 'ok', pattern: 'ready', word: `→ ${backends.length}`, note };
  }
  return { tone: 'fail', pattern: 'notYet', word: verdict === 'drop' ? 'DROP' : 'REJECT', note: 'no backend' };
}

/** Rules in force that name so many backends are not looked at one by one. */
const MOST_BACKENDS = 24;

interface InForce {
  readonly at: Micros;
  readonly until: Micros;
  readonly ref: EventRef;
  readonly look: Look;
}

/** While rules name a backend at which nobody answers, they send connections into the void: from when on, and which. */
function silences(
  reader: TraceReader,
  backends: readonly string[],
  { at, until, ref, look }: InForce,
): readonly Change[] {
  if (look.tone !== 'ok' || backends.length > MOST_BACKENDS) return [];
  const pods = backends.flatMap((backend) => backendPods(reader).get(hostOf(backend)) ?? []);
  const turns = pods.flatMap(({ steps }) => steps.filter((step) => step.at > at && step.at < until));
  return [{ at, ref }, ...turns.sort((a, b) => a.at - b.at)].flatMap((turn): readonly Change[] => {
    const silent = pods.filter(({ steps }) => steps.findLast((step) => step.at <= turn.at)?.answers === false);
    if (silent.length === 0) return turn.at === at ? [] : [{ at: turn.at, ref: turn.ref, ...look }];
    const note = `× ${silent.map(({ name }) => name).join(', ')}`;
    return [{ at: turn.at, ref: turn.ref, ...look, tone: 'fail', pattern: 'notYet', note }];
  });
}

/** Syncs as bars, changes that wait for one below them, and dotted the rest of minSyncPeriod after each. */
function ruleSyncLane(run: FinishedRun, proxy: ProxyInput): Lane {
  const { reader } = run;
  const rows = rowsOfProxy(reader, proxy.name);
  const syncs = rows.flatMap((row): Bar[] => {
    if (!isKind(row, 'proxySync')) return [];
    const { at, end, ref, payload } = row.event;
    const to = Number.isNaN(end) ? reader.data.horizon : end;
    return [
      {
        from: at,
        to,
        tone: payload.result === 'failed' ? 'fail' : 'mech',
        word: payload.isFull ? 'full' : 'partial',
        ref,
      },
    ];
  });
  const waits = syncs.map(({ to }): Wait => ({ from: to, to: later(to, proxy.minSyncPeriod), named: false }));
  return {
    ...emptyLane(NOWHERE, 'ruleSync', '', proxy.name),
    bars: syncs,
    steps: pendingChanges(rows, reader),
    glyphs: rows.flatMap(glyphOf),
    waits,
  };
}

function rowsOfProxy(reader: TraceReader, proxy: string): readonly Row[] {
  return reader.subjects
    .flatMap(({ component, object }, index) =>
      component === 'kubeProxy' && object === proxy ? [...reader.rowsOf(index)] : [],
    )
    .sort((a, b) => (reader.data.at[a] ?? 0) - (reader.data.at[b] ?? 0) || a - b)
    .map((row) => ({ event: reader.event({ row, ordinal: 0 }), count: 1, period: 0 }));
}

/** From the first change that a sync takes up to the begin of that sync. */
function pendingChanges(rows: readonly Row[], reader: TraceReader): readonly Bar[] {
  return rows.flatMap((row): Bar[] => {
    if (!isKind(row, 'proxySync')) return [];
    const { at: to, ref } = row.event;
    const changes = reader.causesOf(ref).filter((cause) => reader.kindOf(cause.row) === 'proxyChange');
    const [first] = changes.sort((a, b) => reader.startOf(a) - reader.startOf(b));
    const from = first === undefined ? to : reader.startOf(first);
    return first === undefined || from >= to ? [] : [{ from, to, tone: 'wait', word: 'change waits', ref: first }];
  });
}

function glyphOf(row: Row): GlyphRun[] {
  if (isKind(row, 'proxySyncFailed')) return [instant(row, 'error', 'fail', '')];
  if (isKind(row, 'conntrackDelete')) return [instant(row, 'letter', 'term', 'U')];
  return isKind(row, 'healthCheck')
    ? [
        instant(
          row,
          row.event.payload.httpStatus === 200 ? 'success' : 'failure',
          row.event.payload.httpStatus === 200 ? 'ok' : 'fail',
          '',
        ),
      ]
    : [];
}
