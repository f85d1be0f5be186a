/** Lanes of the clients: one mark for each attempt, by its outcome. */
import type { Micros } from '../../base/units.ts';
import type { TraceReader } from '../../sim/trace/reader.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import { emptyLane } from './lane.ts';
import type { GlyphRun, GlyphShape, Lane, Tone } from './marks.ts';

/** Outcomes of T-010. What is still under way when the run ends has none. */
const LOOK: Readonly<Record<string, readonly [GlyphShape, Tone]>> = {
  served: ['served', 'ok'],
  errorAnswer: ['errorAnswer', 'fail'],
  refused: ['refused', 'fail'],
  rejected: ['refused', 'fail'],
  reset: ['refused', 'fail'],
  timeout: ['silent', 'fail'],
  wrongPod: ['refused', 'fail'],
  noAddress: ['refused', 'fail'],
};
const UNDER_WAY: readonly [GlyphShape, Tone] = ['tick', 'idle'];

/** Every client that the run has, in the order in which they begin. */
export const clientLanes = (run: FinishedRun): readonly Lane[] =>
  clientsOf(run.reader).map((client) => clientLane(run, client));

/** Names of the clients. */
export const clientsOf = ({ subjects }: TraceReader): readonly string[] => [
  ...new Set(subjects.flatMap(({ component, object }) => (component === 'client' ? [object] : []))),
];

function clientLane({ reader }: FinishedRun, client: string): Lane {
  const owners = reader.subjects.flatMap((subject, index) =>
    subject.component === 'client' && subject.object === client ? [index] : [],
  );
  const rows = owners
    .flatMap((index) => [...reader.rowsOf(index)])
    .filter((row) => reader.kindOf(row) === 'clientAttempt')
    .sort((a, b) => (reader.data.at[a] ?? 0) - (reader.data.at[b] ?? 0) || a - b);
  const node = reader.subjects[owners[0] ?? 0]?.node ?? '';
  return {
    ...emptyLane({ node: '', pod: '' }, 'client', '', client),
    node,
    glyphs: rows.map((row) => attemptGlyph(reader, row)),
  };
}

/** Runs have many attempts: only what is drawn is read. */
function attemptGlyph(reader: TraceReader, row: number): GlyphRun {
  const outcome = String(reader.field(row, 'outcome'));
  const [shape, tone] = LOOK[outcome] ?? UNDER_WAY;
  const code = Number(reader.field(row, 'code'));
  return {
    row,
    at: reader.data.at[row] as Micros,
    period: 0,
    count: 1,
    length: reader.data.length[row] || 0,
    shape,
    tone,
    text: shape === 'errorAnswer' ? `${code}` : '',
    note: '',
    manual: false,
  };
}
