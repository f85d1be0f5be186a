import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { readScenario } from '../io/readScenario.ts';
import { readRecording } from '../io/recording/readRecording.ts';
import { frameIssue } from '../io/text/frame.ts';
import { releaseOf } from '../sim/facts.ts';
import type { Scenario } from '../sim/scenario.ts';
import { CommandError, EXIT } from './exitCodes.ts';
import type { Terminal } from './terminal.ts';

/** What a FILE argument holds. */
export interface Input {
  readonly kind: 'scenario' | 'recording';
  readonly name: string;
  readonly kubernetes: string;
  readonly scenario: Scenario;
}

/** Reads FILE, or standard input for `-`. What is wrong with it ends the command, each problem with its place. */
export function readInput(file: string, pinned: boolean, terminal: Terminal): Input {
  const text = readText(file, terminal);
  const name = file === '-' ? 'standard input' : file;
  return looksLikeRecording(text) ? fromRecording(text, name, pinned) : fromYaml(text, name, terminal);
}

function readText(file: string, terminal: Terminal): string {
  if (file === '-') return terminal.readStdin();
  try {
    return textOf(readFileSync(file));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(EXIT.usage, `cannot read ${file}: ${reason}`);
  }
}

/** The text of a file, packed with gzip or not. */
export function textOf(bytes: Uint8Array): string {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return new TextDecoder().decode(isPacked ? gunzipSync(bytes) : bytes);
}

/** A recording is one JSON object with `schema` and `events` or `scenario`; a manifest in JSON has a `kind`. */
const looksLikeRecording = (text: string): boolean =>
  /^\s*\{/.test(text) && /"schema"\s*:/.test(text) && /"scenario"\s*:/.test(text);

function fromRecording(text: string, name: string, pinned: boolean): Input {
  const read = readRecording(parseJson(text, name));
  if ('problems' in read)
    throw new CommandError(EXIT.input, read.problems.map((problem) => `${name}: ${problem}`).join('\n'));
  const { missing, kubernetes, scenario } = read;
  if (missing.length > 0) throw new CommandError(EXIT.input, `${name}: not modelled yet: ${missing.join(', ')}`);
  return { kind: 'recording', name: read.name, kubernetes, scenario: scenario(pinned) };
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandError(EXIT.input, `${name}: ${error instanceof Error ? error.message : 'no JSON'}`);
  }
}

function fromYaml(text: string, name: string, terminal: Terminal): Input {
  const { scenario, issues, ignored, title } = readScenario(text);
  for (const issue of issues) terminal.err(frameIssue(issue, text, name));
  for (const { kind, name: object, line } of ignored)
    terminal.err(`${name}:${line}: note: ${kind} ${object} is ignored: no part of the model reads it\n`);
  if (!scenario) throw new CommandError(EXIT.input, `${name}: not simulated: ${count(issues)}`);
  return { kind: 'scenario', name: title ?? name, kubernetes: releaseOf(scenario.kubernetes), scenario };
}

function count(issues: readonly { readonly severity: string }[]): string {
  const errors = issues.filter(({ severity }) => severity === 'error').length;
  return errors === 1 ? '1 error' : `${errors} errors`;
}
