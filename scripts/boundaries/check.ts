import { builtinModules } from 'node:module';
import { posix } from 'node:path';
import { LAYERS, type Layer, TESTS } from './table.ts';
import { usesOf } from './uses.ts';

export interface Breach {
  /** Path from the repository's root, with forward slashes. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly rule: 'no layer' | 'import' | 'type import only' | 'package' | 'global' | 'word';
  /** A sentence: what is wrong and what would be right. */
  readonly message: string;
}

/** Which breaches of the import table one file commits. `file` is a path from the root, with forward slashes. */
export function checkFile(file: string, text: string): Breach[] {
  const layer = layerOf(file);
  if (!layer) {
    const message = 'lies in no folder of the import table; move it into one, or add the folder to the table';
    return [{ file, line: 1, rule: 'no layer', message }];
  }
  const { imports, globals } = usesOf(file, text);
  const breach = (line: number, rule: Breach['rule'], message: string): Breach => ({ file, line, rule, message });
  return [
    ...imports.flatMap(({ specifier, typeOnly, line }) => {
      if (specifier === null) return [breach(line, 'import', 'imports a computed address; write it out')];
      const [rule, message] = judgeImport(file, layer, specifier, typeOnly) ?? [];
      return rule ? [breach(line, rule, message ?? '')] : [];
    }),
    ...globals
      .filter(({ name }) => layer.globals.includes(name))
      .map(({ name, line }) => breach(line, 'global', `${layer.at} must not touch ${name}`)),
    ...text.split('\n').flatMap((content, index) => {
      const word = layer.words?.exec(content)?.[0];
      return word ? [breach(index + 1, 'word', `${layer.at} must not say "${word}"`)] : [];
    }),
  ].sort((a, b) => a.line - b.line);
}

type Verdict = readonly [rule: Breach['rule'], message: string] | null;

function judgeImport(file: string, layer: Layer, specifier: string, typeOnly: boolean): Verdict {
  const isTest = TESTS.files.test(file);
  if (!/^\.{0,2}\//.test(specifier)) {
    const allowed = [...layer.packages, ...(isTest ? TESTS.packages : [])];
    const name = builtinModules.includes(specifier) ? `node:${specifier}` : specifier;
    if (allowed.some((pattern) => matches(pattern, name) || matches(`${pattern}/`, name))) return null;
    return ['package', `${layer.at} may not import the package ${specifier}; ${listed('it may', allowed)}`];
  }
  const target = posix.join(posix.dirname(file), specifier.replace(/\?.*$/, ''));
  if (isTest && !target.startsWith('src/')) return null;
  if (placeOf(target) === placeOf(file)) return null;
  const allowed = [...layer.imports, ...(isTest ? TESTS.imports : [])];
  if (isAmong(allowed, target)) return null;
  if (isAmong(layer.importsTypes ?? [], target)) {
    return typeOnly ? null : ['type import only', `${layer.at} may import only types from ${target}; use import type`];
  }
  return ['import', `${layer.at} may not import ${target}; ${listed('it may', allowed)}`];
}

const listed = (start: string, allowed: readonly string[]): string =>
  allowed.length === 0 ? `${start} import nothing` : `${start} import ${allowed.join(', ')}`;

/** `src/timeline/` in a list does not open `src/timeline/view/`, which is a layer of its own. */
const isAmong = (patterns: readonly string[], target: string): boolean => {
  const own = layerOf(target)?.at;
  return patterns.some((pattern) => matches(pattern, target) && (own === undefined || covers(own, pattern)));
};
const covers = (own: string, pattern: string): boolean => !(own.startsWith(pattern) && own !== pattern);

function layerOf(file: string): Layer | undefined {
  return LAYERS.filter(({ at }) => matches(at, file)).sort((a, b) => b.at.length - a.at.length)[0];
}

/** The concrete folder or file of a layer: two panels fit one line of the table and are two places. */
function placeOf(file: string): string | undefined {
  const layer = layerOf(file);
  return layer && toRegExp(layer.at).exec(file)?.[0];
}

const matches = (pattern: string, path: string): boolean => {
  const [found] = toRegExp(pattern).exec(path) ?? [];
  return found !== undefined && (pattern.endsWith('/') || found === path);
};

const toRegExp = (pattern: string): RegExp =>
  new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*')}`);
