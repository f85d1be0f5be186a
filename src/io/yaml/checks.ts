import { type Document, isAlias, isMap, isScalar, type LineCounter, visit } from 'yaml';
import type { Issue } from '../issue.ts';
import { rangeAt } from './places.ts';

/** Warnings about keys that come twice in one map: kubectl keeps the last without a word. */
export function duplicateKeys(doc: Document, lines: LineCounter): Issue[] {
  const found: Issue[] = [];
  visit(doc, {
    Map: (_at, map) => {
      const seen = new Map<string, number>();
      for (const { key } of map.items) {
        if (!isScalar(key) || !key.range || key.value === '<<') continue;
        const name = String(key.value);
        const range = rangeAt(lines, key.range[0], key.range[1]);
        const before = seen.get(name);
        seen.set(name, range.line);
        if (before === undefined) continue;
        found.push({
          severity: 'warning',
          ...range,
          path: name,
          setting: null,
          message: `${name} is given twice: on line ${before} and on line ${range.line}; line ${range.line} is used`,
          remedy: 'Remove one of them; kubectl keeps the last one silently.',
        });
      }
    },
  });
  return found;
}

/** Errors about what YAML allows and a manifest cannot hold: aliases without an anchor, maps as keys (unrendered templates). */
export function unusableNodes(doc: Document, lines: LineCounter): Issue[] {
  const found: Issue[] = [];
  const report = (range: readonly number[] | null | undefined, message: string, remedy: string): void => {
    const [from = 0, to = from] = range ?? [];
    found.push({ severity: 'error', ...rangeAt(lines, from, to), path: '', setting: null, message, remedy });
  };
  visit(doc, {
    Alias: (_at, alias) => {
      if (!alias.resolve(doc)) {
        report(
          alias.range,
          `the alias *${alias.source} has no anchor`,
          `Put &${alias.source} at the value that it stands for, before this line.`,
        );
      }
    },
    Pair: (_at, pair) => {
      if (!isMap(pair.key) && !isAlias(pair.key)) return;
      report(pair.key.range, 'this is a template that was not rendered', TEMPLATE_REMEDY);
    },
  });
  return found;
}

export const TEMPLATE_REMEDY = 'Render it first, for example with helm template, and paste the output.';
