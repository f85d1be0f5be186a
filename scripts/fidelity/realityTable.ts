import { readFileSync } from 'node:fs';
import { type RealityReport, realityReport } from '../../src/io/reality/report.ts';
import { markdownTable } from '../lib/generatedPart.ts';

const REPORT = new URL('../../docs/reality.json', import.meta.url);

/** The last comparison with a real cluster, in Markdown (`npm run reality -- --write docs/reality.json DIR`). */
export function realitySection(): string {
  const report = realityReport.parse(JSON.parse(readFileSync(REPORT, 'utf8')));
  return [summaryOf(report), rowsTable(report), exceptionsOf(report)].join('\n\n');
}

function summaryOf({ seeds, recordings }: RealityReport): string {
  const sum = (of: 'hops' | 'inside'): number => recordings.reduce((total, recording) => total + recording[of], 0);
  const share = ((100 * sum('inside')) / sum('hops')).toFixed(1);
  return `${recordings.length} recordings, ${seeds} simulations of each: ${sum('inside')} of ${sum('hops')} real instants (${share} %) lie in the simulated range. Lengths in ms, p10 / p50 / p90. What this is and how it is made: [reality.md](reality.md).`;
}

const three = (lengths: readonly number[]): string => lengths.join(' / ');

function rowsTable({ rows }: RealityReport): string {
  return markdownTable(
    ['hop', 'n', 'inside', 'median rank', 'median error', 'real', 'simulated', 'bar missed'],
    rows.map(({ row, n, inside, medianRank, medianError, real, simulated, missed, why }) => [
      row,
      String(n),
      String(inside),
      medianRank === null ? '-' : medianRank.toFixed(2),
      medianError === null ? '-' : String(medianError),
      three(real),
      three(simulated),
      missed.length === 0 ? '-' : `${missed.join('; ')}. ${why}`.trimEnd(),
    ]),
  );
}

function exceptionsOf({ exceptions }: RealityReport): string {
  if (exceptions.length === 0) return 'No instant lies outside.';
  const rows = exceptions.map(({ recording, key, real, simulated, why }) => [
    recording,
    key,
    String(real),
    simulated ? three(simulated) : 'hardly any run has it',
    why,
  ]);
  return `Instants outside, with the lowest, middle and highest of the range:\n\n${markdownTable(['recording', 'occurrence', 'real', 'simulated', 'which is wrong, and why'], rows)}`;
}
