/**
 * Writes the statechart and the tables of docs/probe-worker.md from the machine that runs, so that the page shows what is
 * simulated and nothing else. Run: npm run chart
 */
import { fileURLToPath } from 'node:url';
import type { UnknownAction } from 'xstate';
import { probeWorkerMachine } from '../src/sim/kubelet/prober/probeWorkerMachine.ts';
import { generatedDocument, markdownTable } from './lib/generatedPart.ts';

type State = typeof probeWorkerMachine.root;

/** One way from a state to a state. */
interface Way {
  readonly from: string;
  readonly to: string;
  /** Empty: taken at once when the state is entered. */
  readonly event: string;
  /** `else` where the ways before it have guards; empty where there is no choice. */
  readonly guard: string;
  readonly actions: readonly string[];
  readonly description: string;
}

/** Every state, outer ones before those inside. */
const statesOf = (state: State): readonly State[] =>
  (Object.values(state.states) as readonly State[]).flatMap((child) => [child, ...statesOf(child)]);

/** `waiting.gated` for a state in a state; as in the trace. */
const nameOf = (state: State): string => state.path.join('.');

/** A state's ways in the order in which they are tried. */
function waysOf(state: State): readonly Way[] {
  return [...state.transitions.values(), state.always ?? []].flatMap((choices) =>
    choices.map(({ eventType, guard, target, actions, description }, i): Way => {
      const [to = state] = (target ?? []) as readonly State[];
      return {
        from: nameOf(state),
        to: nameOf(to),
        event: eventType,
        guard: typeof guard === 'string' ? guard : i > 0 ? 'else' : '',
        actions: actions.map(actionText),
        description: description ?? '',
      };
    }),
  );
}

/** The action's name, with its parameter where that is fixed: `report noStatus`. */
function actionText(action: UnknownAction): string {
  if (typeof action === 'string') return action;
  if (typeof action === 'function') return action.name;
  const { type, params } = action;
  return typeof params === 'object' && params !== null ? [type, ...Object.values(params)].join(' ') : type;
}

/** Mermaid knows a state by its last name only. */
const idOf = (name: string): string => name.split('.').at(-1) ?? name;

/** `TURN [noStatus]`: what leads along a way. Its commands stand in the table. */
const labelOf = ({ event, guard }: Way): string => [event, guard && `[${guard}]`].filter(Boolean).join(' ');

/** One arrow for each pair of states, with all that leads along it; what stays in its state only stands in the table. */
function arrowsOf(ways: readonly Way[]): readonly string[] {
  const labels = new Map<string, string[]>();
  for (const way of ways.filter(({ from, to }) => from !== to)) {
    const arrow = `${idOf(way.from)} --> ${idOf(way.to)}`;
    labels.set(arrow, [...(labels.get(arrow) ?? []), labelOf(way)]);
  }
  return [...labels].map(([arrow, lines]) => `${arrow} : ${lines.join('<br/>')}`);
}

/** The machine as a mermaid stateDiagram-v2. */
export function chartText(): string {
  const { root } = probeWorkerMachine;
  const states = statesOf(root);
  const [initial] = root.initial.target as readonly State[];
  const groups = states.filter((state) => Object.keys(state.states).length > 0);
  return [
    'stateDiagram-v2',
    ...groups.flatMap((group) => [
      `  state ${idOf(nameOf(group))} {`,
      ...statesOf(group).map((child) => `    ${idOf(nameOf(child))}`),
      '  }',
    ]),
    `  [*] --> ${initial ? idOf(nameOf(initial)) : ''}`,
    ...arrowsOf(states.flatMap(waysOf)).map((arrow) => `  ${arrow}`),
    ...states.filter(({ type }) => type === 'final').map((state) => `  ${idOf(nameOf(state))} --> [*]`),
  ].join('\n');
}

const code = (text: string): string => (text === '' ? '' : `\`${text}\``);

const statesTable = (): string =>
  markdownTable(
    ['state', 'meaning'],
    statesOf(probeWorkerMachine.root).map((state) => [code(nameOf(state)), state.description ?? '']),
  );

const waysTable = (): string =>
  markdownTable(
    ['from', 'event', 'guard', 'to', 'commands', 'rule'],
    statesOf(probeWorkerMachine.root)
      .flatMap(waysOf)
      .map(({ from, event, guard, to, actions, description }) => [
        code(from),
        event === '' ? 'at once' : code(event),
        guard === 'else' ? 'otherwise' : code(guard),
        from === to ? 'stays' : code(to),
        actions.map(code).join(', '),
        description,
      ]),
  );

export const PROBE_WORKER_DOCUMENT = generatedDocument(
  'docs/probe-worker.md',
  '<!-- generated from the machine: npm run chart -->',
  () => `\`\`\`mermaid\n${chartText()}\n\`\`\`\n\n### States\n\n${statesTable()}\n\n### Transitions\n\n${waysTable()}`,
);

if (process.argv[1] === fileURLToPath(import.meta.url)) PROBE_WORKER_DOCUMENT.write();
