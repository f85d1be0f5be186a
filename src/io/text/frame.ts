import type { Issue } from '../issue.ts';

/** How the caret line repeats what stands before the caret, so that tabs keep their width. */
const blank = (text: string): string => text.replace(/[^\t]/g, ' ');

/**
 * An issue for a terminal:
 *
 *     web.yaml:12:24: error: periodSeconds must be a whole number, not the text "5"
 *               periodSeconds: "5"
 *                              ^^^
 *     = Write 5 without quotes.
 */
export function frameIssue(issue: Issue, text: string, file: string): string {
  const { line, column, endLine, endColumn, severity, message, remedy } = issue;
  const source = text.split(/\r?\n/)[line - 1] ?? '';
  const end = endLine === line ? endColumn : source.length + 1;
  const caret = `${blank(source.slice(0, column - 1))}${'^'.repeat(Math.max(1, Math.min(end, source.length + 1) - column))}`;
  const lines = [`${file}:${line}:${column}: ${severity}: ${message}`, source, caret];
  if (remedy !== null) lines.push(`= ${remedy}`);
  return `${lines.join('\n')}\n`;
}
