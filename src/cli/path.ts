import { parseArgs } from 'node:util';
import { formatDuration, formatInstant } from '../base/format.ts';
import type { Micros } from '../base/units.ts';
import { type Budget, hopNumberOf, joiningBudget, leavingBudget } from '../explain/hops.ts';
import { lostRequests } from '../explain/lostRequests.ts';
import { type PodPath, pathsOf } from '../explain/path.ts';
import { podsOf } from '../explain/podsOf.ts';
import { pathEn } from '../explain/words/pathEn.ts';
import type { FinishedRun } from '../sim/trace/run.ts';
import { CommandError, EXIT } from './exitCodes.ts';
import { podsNamed, scenarioOf, simulated } from './finishedRun.ts';
import { SCENARIO_OPTIONS, SCENARIO_OPTIONS_HELP } from './scenarioOptions.ts';
import type { Terminal } from './terminal.ts';

export const PATH_HELP = `podtopool path [options] FILE

Simulates FILE and prints the path of each Pod into and out of each Service, hop by hop, as a client of each node meets it:
from "the app could answer" to "first request answered", and from what removes it to the rules without it; then each request that was not served, with its reason.

  --pod NAME                only of that Pod
${SCENARIO_OPTIONS_HELP}`;

const OPTIONS = { pod: { type: 'string' }, ...SCENARIO_OPTIONS } as const;

/** Prints all paths of a run, or those of one Pod. Returns the exit status. */
export function pathCommand(args: readonly string[], terminal: Terminal): number {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
  if (values.help) {
    terminal.out(PATH_HELP);
    return EXIT.ok;
  }
  const run = simulated(scenarioOf('path', positionals, values, terminal));
  const pods = values.pod === undefined ? null : podsNamed('path', run, values.pod);
  const isAsked = (identity: string): boolean => pods === null || pods.some((pod) => pod.identity === identity);
  const paths = pathsOf(run).filter((path) => isAsked(path.pod));
  if (paths.length === 0)
    throw new CommandError(
      EXIT.input,
      `path: no slice of any Service ever lists ${pods === null ? 'a Pod' : pods[0].name} under a port`,
    );
  for (const path of paths) terminal.out(pathText(run, path));
  terminal.out(lostText(run, isAsked));
  return EXIT.ok;
}

function pathText(run: FinishedRun, path: PodPath): string {
  const { horizon } = run.reader.data;
  const port = path.port === '' ? '' : `:${path.port}`;
  const budgets = path.joining.nodes.flatMap(({ node }) =>
    [joiningBudget(path, node, horizon), leavingBudget(path, node, horizon)].filter((budget) => budget !== null),
  );
  const said = budgets.map(budgetText).join('');
  return `${titleOf(run, path)} ${path.service}${port}\n${said === '' ? `  ${whyNoWay(path)}\n` : said}`;
}

/** Its name; with its identity where another Pod of the run has that name too. */
function titleOf({ scenario }: FinishedRun, { pod }: PodPath): string {
  const all = [...podsOf(scenario).values()];
  const name = all.find(({ identity }) => identity === pod)?.name ?? pod;
  return all.filter((other) => other.name === name).length > 1 ? `${name} (${pod})` : name;
}

function whyNoWay({ joining, leftOutOn }: PodPath): string {
  if (joining.nodes.length === 0) return 'no kube-proxy writes rules';
  return leftOutOn.length === joining.nodes.length ? 'no rules are for it' : 'its app never answers a client';
}

/** Requests that were not served: those of one sentence together, and how many of how many. */
function lostText(run: FinishedRun, isAsked: (identity: string) => boolean): string {
  const lost = lostRequests(run).filter(({ pod }) => isAsked(pod));
  if (lost.length === 0) return '';
  const bySentence = new Map<string, Micros[]>();
  for (const request of lost) {
    const name = podsOf(run.scenario).get(request.pod)?.name ?? request.pod;
    const sentence = pathEn.lost(request, name);
    const known = bySentence.get(sentence);
    if (known) known.push(request.at);
    else bySentence.set(sentence, [request.at]);
  }
  const lines = [...bySentence].map(([sentence, times]) => {
    const last = times.at(-1);
    const when = formatInstant(times[0] ?? 0) + (times.length > 1 ? ` to ${formatInstant(last ?? 0)}` : '');
    return `  ${`${times.length}`.padStart(5)} × ${when}: ${sentence}\n`;
  });
  return `${lost.length} ${lost.length === 1 ? 'request' : 'requests'} not served\n${lines.join('')}`;
}

/** The longest name of a part. */
const NAME_WIDTH = 17;

const DIRECTION = { joining: 'in', leaving: 'out' } as const;

/** A line for the whole and one for each hop with its share. */
function budgetText(budget: Budget): string {
  const { direction, node, from, end, waitingFor, hops } = budget;
  const remark =
    waitingFor === null
      ? formatDuration(end - from)
      : pathEn[budget.leftBefore ? 'leftBefore' : 'unfinished'](waitingFor);
  const lines = hops.map(
    (hop) =>
      `    ${hopNumberOf(hop.hop) ?? ' '} ${pathEn.hop(hop.hop).padEnd(NAME_WIDTH)} ${formatDuration((hop.to ?? end) - hop.from).padStart(12)} ${`${Math.round(hop.share * 100)} %`.padStart(6)}`,
  );
  return [
    `  ${DIRECTION[direction]}, ${node}: ${formatInstant(from)} to ${formatInstant(end)}, ${remark}`,
    ...lines,
    '',
  ].join('\n');
}
