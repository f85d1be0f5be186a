import { parseArgs } from 'node:util';
import { formatInstant, parseInstant } from '../base/format.ts';
import { type Micros, micros } from '../base/units.ts';
import { candidateEdits, rankedEdits, trialOf, triedEdit, waitOf } from '../explain/shorten.ts';
import { type Link, type Why, whyAt } from '../explain/why.ts';
import { pathEn } from '../explain/words/pathEn.ts';
import type { Scenario } from '../sim/scenario.ts';
import type { FinishedRun } from '../sim/trace/run.ts';
import { CommandError, EXIT } from './exitCodes.ts';
import { podNamed, scenarioOf, serviceNamed, simulated } from './finishedRun.ts';
import { SCENARIO_OPTIONS, SCENARIO_OPTIONS_HELP } from './scenarioOptions.ts';
import type { Terminal } from './terminal.ts';

export const WHY_HELP = `podtopool why [options] FILE

Simulates FILE and says why a Pod is, or is not, a backend of a Service at an instant: each link of the chain, the first
one that is missing, when it comes true in this run, and the command that shows it in a real cluster. Then single changes
that people make to shorten such a wait, each of them really run: the best ones, and one that does not help.

  --pod NAME                of the only Pod unless named
  --service NAME            of the only Service unless named
  --node NAME               ask the kube-proxy of that node; all of them unless named
  --at TIME                 the instant: 11.34, 11.34s or 11340ms (required)
${SCENARIO_OPTIONS_HELP}`;

const OPTIONS = {
  pod: { type: 'string' },
  service: { type: 'string' },
  node: { type: 'string' },
  at: { type: 'string' },
  ...SCENARIO_OPTIONS,
} as const;

/** Answers one question. Returns the exit status. */
export function whyCommand(args: readonly string[], terminal: Terminal): number {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
  if (values.help) {
    terminal.out(WHY_HELP);
    return EXIT.ok;
  }
  const at = instantOf(values.at);
  const scenario = scenarioOf('why', positionals, values, terminal);
  const run = simulated(scenario);
  const pod = podNamed('why', run, values.pod, at);
  const service = serviceNamed('why', run, values.service);
  const why = whyAt(run, { pod, service, node: nodeOf(run, values.node), at });
  terminal.out(whyText(why));
  terminal.out(shortenText(scenario, run, why));
  return EXIT.ok;
}

function instantOf(text: string | undefined): Micros {
  if (text === undefined) throw new CommandError(EXIT.usage, 'why: say when: --at 11.34s');
  const at = parseInstant(text, 0);
  if (at === null)
    throw new CommandError(EXIT.usage, `why: --at ${text} is no instant; write 11.34, 11.34s or 11340ms`);
  return micros(at);
}

function nodeOf({ scenario }: FinishedRun, name: string | undefined): string | null {
  if (name === undefined || scenario.nodes.includes(name)) return name ?? null;
  throw new CommandError(
    EXIT.usage,
    `why: --node ${name} is not in the scenario; there are ${scenario.nodes.join(', ')}`,
  );
}

function whyText(why: Why): string {
  const width = Math.max(...why.links.map((link) => pathEn.link(link).length));
  return [
    pathEn.question(why),
    pathEn.answer(why),
    '',
    ...why.links.map((link) => linkText(link, link === why.missing, width)),
    '',
    `In a real cluster: ${why.proof}`,
    '',
  ].join('\n');
}

/** Runs each change that may shorten the wait, and says what the best ones come to. */
function shortenText(scenario: Scenario, run: FinishedRun, why: Why): string {
  const wait = waitOf(run, why);
  if (wait === null) return '';
  const tried = candidateEdits(run, why, wait).map((edit) =>
    triedEdit(why, wait, edit, simulated(trialOf(scenario, wait, edit))),
  );
  const ranked = rankedEdits(tried);
  if (ranked.length === 0) return '';
  const lines = ranked.map((one) => [pathEn.edit(one.edit), `${pathEn.gain(one, wait)} (${pathEn.cost(one.edit)})`]);
  const width = Math.max(...lines.map(([edit = '']) => edit.length));
  return `${pathEn.shorten(wait)}:\n${lines.map(([edit = '', said = '']) => `  ${edit.padEnd(width)}  ${said}\n`).join('')}`;
}

const MARK = { yes: '+', no: '-', unknown: '?' } as const;

/** `> - readiness probe has succeeded (app)  failure, since 3.000 s, comes at 11.340 s`. */
function linkText(link: Link, isMissing: boolean, width: number): string {
  const since = link.since === null ? '' : `since ${formatInstant(link.since)}`;
  const facts = [pathEn.value(link), since, pathEn.comes(link)].filter((fact) => fact !== '');
  const name = pathEn.link(link).padEnd(width);
  return `${isMissing ? '>' : ' '} ${MARK[link.says]} ${name}  ${facts.join(', ')}`.trimEnd();
}
