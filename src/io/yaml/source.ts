import { Composer, type Document, LineCounter, Parser, type YAMLError } from 'yaml';
import type { Issue, Path, Range } from '../issue.ts';
import { duplicateKeys, TEMPLATE_REMEDY, unusableNodes } from './checks.ts';
import { locate, rangeAt } from './places.ts';
import { keepWordsOfKeys, withTagsOfKubectl } from './tags.ts';

/** One YAML document with content. */
export interface SourceDocument {
  /** Plain data. Keys without a value (null) are left out, as Kubernetes does. */
  readonly value: unknown;
  /** Keys of the outermost map that are left out so. */
  readonly emptyKeys: readonly string[];
  /** Where `path` stands: a scalar's own text, else its key; for what is missing, the nearest parent that exists. */
  locate(path: Path, of?: 'key' | 'value'): Range;
}

export interface Source {
  readonly documents: readonly SourceDocument[];
  /** Documents without content (comments only), which are skipped. */
  readonly emptyDocuments: number;
  readonly issues: readonly Issue[];
}

/** So many broken documents end the reading: a page full of errors helps nobody, and takes long to make. */
const MOST_BROKEN = 100;

/** Editors put one before a file; concatenated files have them before any document. */
const BYTE_ORDER_MARKS = /^\uFEFF/gm;

/**
 * Reads a stream of YAML documents (JSON is YAML too).
 * A document with a syntax error is reported and left out; the others are read all the same.
 */
export function readSource(text: string): Source {
  try {
    return readDocuments(text);
  } catch (error) {
    // yaml reads by recursion: what is nested thousands of levels deep overflows the stack.
    if (!(error instanceof Error && OVERFLOW.test(error.message))) throw error;
    return { documents: [], emptyDocuments: 0, issues: [TOO_DEEP] };
  }
}

/** What engines say of a stack that is full; yaml passes it on as an error of the document at times. */
const OVERFLOW = /call stack|too much recursion/;
const TOO_DEEP: Issue = {
  severity: 'error',
  line: 1,
  column: 1,
  endLine: 1,
  endColumn: 1,
  path: '',
  setting: null,
  message: 'the text is nested too deeply to be read',
  remedy: 'Look for a line or bracket that is repeated without an end.',
};

function readDocuments(text: string): Source {
  const lines = new LineCounter();
  const unmarked = text.replaceAll(BYTE_ORDER_MARKS, '');
  const parser = new Parser(lines.addNewLine);
  // Aliases are bounded (yaml's maxAliasCount), so that a small text cannot unfold to a huge one.
  const composer = new Composer({
    merge: true,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
    customTags: withTagsOfKubectl,
  });
  const documents: SourceDocument[] = [];
  const issues: Issue[] = [];
  let emptyDocuments = 0;
  let broken = 0;
  for (const doc of composer.compose(parser.parse(unmarked))) {
    keepWordsOfKeys(doc);
    // Only the first syntax error: the others mostly follow from it.
    const problems = [
      ...doc.errors.slice(0, 1).map((error) => syntaxIssue(error, doc.errors[1], unmarked, lines)),
      ...unusableNodes(doc, lines),
    ];
    issues.push(...problems, ...duplicateKeys(doc, lines));
    if (problems.length > 0) {
      if (++broken < MOST_BROKEN) continue;
      issues.push(restUnread(doc, lines));
      break;
    }
    const plain = toPlain(doc, lines, issues);
    if (plain === undefined) continue;
    const value = withoutNulls(plain);
    if (value === null) emptyDocuments++;
    else
      documents.push({
        value,
        emptyKeys: emptyKeys(plain),
        locate: (path, of = 'value') => locate(doc, lines, path, of),
      });
  }
  return { documents, emptyDocuments, issues };
}

function restUnread(doc: Document, lines: LineCounter): Issue {
  const end = doc.range?.[2] ?? 0;
  return {
    severity: 'error',
    ...rangeAt(lines, end, end),
    path: '',
    setting: null,
    message: `${MOST_BROKEN} documents are broken: what follows was not read`,
    remedy: 'Correct those above first, or paste the rest alone.',
  };
}

function toPlain(doc: Document, lines: LineCounter, issues: Issue[]): unknown {
  try {
    return doc.toJS();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const range = rangeAt(lines, doc.range?.[0] ?? 0, doc.range?.[0] ?? 0);
    issues.push({
      severity: 'error',
      ...range,
      path: '',
      setting: null,
      message,
      remedy: 'Write the values out instead of repeating aliases.',
    });
    return undefined;
  }
}

const emptyKeys = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).flatMap(([key, item]) => (item === null ? [key] : []))
    : [];

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (value === null || value === undefined) return null;
  if (typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) =>
      item === null || item === undefined ? [] : [[key, withoutNulls(item)]],
    ),
  );
}

/** yaml's message with a remedy for the mistakes that people make. `next`: the error that follows it, if any. */
function syntaxIssue(error: YAMLError, next: YAMLError | undefined, text: string, lines: LineCounter): Issue {
  if (OVERFLOW.test(error.message)) return TOO_DEEP;
  const range = rangeAt(lines, ...placeOf(error, next, text));
  const from = lines.lineStarts[range.line - 1] ?? 0;
  const line = text.slice(from, lines.lineStarts[range.line] ?? text.length);
  return {
    severity: 'error',
    ...range,
    path: '',
    setting: null,
    message: `not YAML: ${firstSentence(error.message)}`,
    remedy: syntaxRemedy(error, line),
  };
}

/** A value that went on over several lines and turns out to have a colon: the last of them is indented wrongly. */
function placeOf(error: YAMLError, next: YAMLError | undefined, text: string): readonly [number, number] {
  const isLate = error.code === 'BLOCK_AS_IMPLICIT_KEY' && next?.code === 'MULTILINE_IMPLICIT_KEY';
  if (!isLate) return error.pos;
  const end = next.pos[1];
  const begin = text.lastIndexOf('\n', end - 1) + 1;
  return [begin + text.slice(begin).search(/\S/), end];
}

const firstSentence = (message: string): string => message.replace(/\s+at line \d+.*$/s, '');

function syntaxRemedy(error: YAMLError, line: string): string {
  if (line.includes('{{')) return TEMPLATE_REMEDY;
  if (error.code === 'UNEXPECTED_TOKEN' && /^\s*\{/.test(line)) return 'Put a line with --- between two JSON objects.';
  if (line.includes('```')) return 'Remove the Markdown fences around the manifest.';
  if (error.code === 'TAB_AS_INDENT' || /^\s*\t/.test(line))
    return 'Indent with spaces; YAML does not allow tabs there.';
  if (error.code === 'BAD_INDENT' || error.code === 'BLOCK_AS_IMPLICIT_KEY')
    return 'Check the indent of this line and of the line above.';
  return 'Correct the line, or compare it with the lines around it.';
}
