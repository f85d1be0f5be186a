/** One line of the bench. Smaller is better. */
export interface Row {
  readonly name: string;
  /** Null: could not be measured. */
  readonly value: number | null;
  readonly unit: string;
  readonly target: number;
  /** Why there is no value; null with one. */
  readonly problem: string | null;
}

/** `{"rows":[{"name","value","unit","target"}]}` on one line. */
export const jsonText = (rows: readonly Row[]): string =>
  `${JSON.stringify({ rows: rows.map(({ name, value, unit, target }) => ({ name, value, unit, target })) })}\n`;

const HEAD = ['name', 'value', 'unit', 'target', 'ok'] as const;

/** A table for people; what could not be measured says why below it. */
export function tableText(rows: readonly Row[]): string {
  const lines = [HEAD, ...rows.map(cells)];
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const isNumber = (column: number): boolean => HEAD[column] === 'value' || HEAD[column] === 'target';
  const table = lines.map((line) =>
    line
      .map((cell, i) => (isNumber(i) ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  const problems = rows.flatMap(({ name, problem }) => (problem === null ? [] : [`${name}: not measured: ${problem}`]));
  return [...table, ...problems, ''].join('\n');
}

const cells = ({ name, value, unit, target }: Row): readonly string[] =>
  value === null
    ? [name, '–', unit, `${target}`, 'not measured']
    : [name, value < 10 ? value.toFixed(2) : value.toFixed(0), unit, `${target}`, value <= target ? 'yes' : 'no'];
