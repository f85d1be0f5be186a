import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A document of which one part, between two comments, is made by a script; the rest is written by hand. */
export interface GeneratedDocument {
  /** The document as it stands. */
  readonly read: () => string;
  /** The document with its generated part made anew. Throws when its marks are missing. */
  readonly make: () => string;
  readonly write: () => void;
}

const END = '<!-- end of the generated part -->';

/** `path` from the root of the repository; `begin` is the comment in front of the part; `body` makes its Markdown. */
export function generatedDocument(path: string, begin: string, body: () => string): GeneratedDocument {
  const file = fileURLToPath(new URL(`../../${path}`, import.meta.url));
  const read = (): string => readFileSync(file, 'utf8');
  const make = (): string => {
    const [before, rest] = read().split(begin);
    const after = rest?.split(END)[1];
    if (before === undefined || after === undefined) throw new Error(`${path} lacks "${begin}" or "${END}"`);
    return `${before}${begin}\n\n${body()}\n\n${END}${after}`;
  };
  return { read, make, write: () => writeFileSync(file, make()) };
}

/** A Markdown table with its columns padded, as Biome wants it. Bars in cells are escaped. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows].map((cells) => cells.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = head.map((_, column) => Math.max(3, ...lines.map((line) => line[column]?.length ?? 0)));
  const text = (cells: readonly string[]): string =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`;
  const [first = [], ...others] = lines;
  return [text(first), text(widths.map((width) => '-'.repeat(width))), ...others.map(text)].join('\n');
}
