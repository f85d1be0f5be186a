/** Writes the tables of docs/fidelity.md. Run: npm run fidelity */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readRecording, recordingsIn } from '../src/cli/conformance.ts';
import { play } from '../src/cli/play.ts';
import { readRecording as recordedScenario } from '../src/io/recording/readRecording.ts';
import { TraceReader } from '../src/sim/trace/reader.ts';
import { CLUSTER_INVARIANTS } from '../test/properties/clusterInvariants/index.ts';
import { INVARIANTS } from '../test/properties/invariants/index.ts';
import { OUTAGE_INVARIANTS } from '../test/properties/outageInvariants.ts';
import { PATH_INVARIANTS } from '../test/properties/pathInvariants/index.ts';
import { ROLLOUT_INVARIANTS } from '../test/properties/rolloutInvariants.ts';
import { WORKLOAD_INVARIANTS } from '../test/properties/workloadInvariants/index.ts';
import { exercisedRules } from './fidelity/exercised.ts';
import { realitySection } from './fidelity/realityTable.ts';
import type { Status } from './fidelity/row.ts';
import { FIDELITY } from './fidelity/table.ts';
import { generatedDocument, markdownTable } from './lib/generatedPart.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const RECORDINGS = join(ROOT, 'test/recordings');
const NUMBERS = Object.keys(FIDELITY);
/** Names of all invariants, by what they are about. */
const INVARIANT_NAMES = Object.entries({
  ...INVARIANTS,
  ...CLUSTER_INVARIANTS,
  ...WORKLOAD_INVARIANTS,
  rollouts: ROLLOUT_INVARIANTS,
  'nodes that are lost': OUTAGE_INVARIANTS,
  ...PATH_INVARIANTS,
}).map(([group, list]) => [group, list.map(({ name }) => name)] as const);

/** Rules that a text cites: `K-131`, or all of `K-130 to K-133`. Numbers of one letter are in order. */
export function citedRules(text: string): ReadonlySet<string> {
  const cited = new Set<string>();
  for (const [, first = '', last = first] of text.matchAll(/([CKNPT]-\d{3})(?: to ([CKNPT]-\d{3}))?/g)) {
    for (const number of NUMBERS) if (number >= first && number <= last) cited.add(number);
  }
  return cited;
}

/** Rule → files below src/sim whose text cites it. */
export function citations(): ReadonlyMap<string, readonly string[]> {
  const folder = join(ROOT, 'src/sim');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .sort();
  const found = new Map<string, string[]>(NUMBERS.map((number) => [number, []]));
  for (const file of files) {
    for (const number of citedRules(readFileSync(join(folder, file), 'utf8'))) {
      found.get(number)?.push(relative('.', file).replaceAll('\\', '/'));
    }
  }
  return found;
}

/** Rule → recordings with an event that tells of it. */
function recordedRules(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>(NUMBERS.map((number) => [number, []]));
  for (const file of recordingsIn(RECORDINGS)) {
    const read = recordedScenario(readRecording(file));
    if ('problems' in read) throw new Error(`${file}: ${read.problems.join(', ')}`);
    const { trace } = play(read.scenario(true));
    for (const number of exercisedRules(new TraceReader(trace))) found.get(number)?.push(basename(file, '.json.gz'));
  }
  return found;
}

const invariantsOf = (number: string): number =>
  INVARIANT_NAMES.flatMap(([, names]) => names).filter((name) => citedRules(name).has(number)).length;

const some = (names: readonly string[]): string =>
  names.length === 0 ? '–' : `${names.length}: ${names.slice(0, 2).join(', ')}${names.length > 2 ? ' …' : ''}`;

function rulesTable(): string {
  const cited = citations();
  const recorded = recordedRules();
  const rows = Object.entries(FIDELITY).map(([number, { text, status, note }]) => [
    number,
    text,
    note === '' ? status : `${status}: ${note}`,
    (cited.get(number) ?? []).map((file) => `\`${basename(file)}\``).join(' ') || '–',
    String(invariantsOf(number) || '–'),
    some(recorded.get(number) ?? []),
  ]);
  return markdownTable(['rule', 'what it says', 'status', 'cited in src/sim by', 'invariants', 'recordings'], rows);
}

function summary(): string {
  const count = (status: Status): number => Object.values(FIDELITY).filter((row) => row.status === status).length;
  const invariants = INVARIANT_NAMES.flatMap(([, names]) => names).length;
  return `${NUMBERS.length} rules: ${count('exact')} exact, ${count('approximated')} approximated, ${count('follows')} that follow from others, ${count('left out')} left out. ${recordingsIn(RECORDINGS).length} recordings, ${invariants} invariants.`;
}

const invariantsList = (): string =>
  INVARIANT_NAMES.map(([group, names]) => [`### ${group}`, '', ...names.map((name) => `- ${name}`)].join('\n')).join(
    '\n\n',
  );

export const FIDELITY_DOCUMENT = generatedDocument(
  'docs/fidelity.md',
  '<!-- generated from scripts/fidelity, src/sim, test/properties and test/recordings: npm run fidelity -->',
  () =>
    [
      summary(),
      rulesTable(),
      '## Held against a real cluster',
      realitySection(),
      '## Invariants',
      invariantsList(),
    ].join('\n\n'),
);

if (process.argv[1] === fileURLToPath(import.meta.url)) FIDELITY_DOCUMENT.write();
