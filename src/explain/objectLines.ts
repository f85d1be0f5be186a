/**
 * A stored object as the lines of its YAML, each marked with what changed against the version before:
 *
 *     ~   status: "True"        was "False"
 *     +   podIP: 10.1.0.11
 *     -   message: …
 */
export interface ObjectLine {
  readonly indent: number;
  /** `- ` begins an item of a list. */
  readonly dash: boolean;
  readonly key: string;
  /** Null for a line that only opens a map or a list. */
  readonly value: string | null;
  readonly mark: 'same' | 'changed' | 'added' | 'removed';
  /** The old value of a changed line. */
  readonly was: string | null;
}

interface FlatLine extends Pick<ObjectLine, 'indent' | 'dash' | 'key' | 'value'> {
  /** Where it stands: list items by their `type`, `name`, Pod, `ip` or index, so that an item that moved is still the same. */
  readonly path: string;
}
type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Texts are JSON; `before` is null for the first version, whose lines are all the same as themselves. */
export function objectLines(text: string, before: string | null): readonly ObjectLine[] {
  const now = flatten(JSON.parse(text) as Json);
  if (before === null) return now.map((line) => ({ ...bare(line), mark: 'same', was: null }));
  const old = flatten(JSON.parse(before) as Json);
  const oldByPath = new Map(old.map((line) => [line.path, line]));
  const nowPaths = new Set(now.map(({ path }) => path));
  const lines: ObjectLine[] = [];
  let oldIndex = 0;
  for (const line of now) {
    // What vanished stands where it stood: before the next line that is still there.
    const until = old.findIndex(({ path }) => path === line.path);
    for (; oldIndex < until; oldIndex++) pushRemoved(old[oldIndex], nowPaths, lines);
    if (until >= 0) oldIndex = Math.max(oldIndex, until + 1);
    const was = oldByPath.get(line.path);
    if (was === undefined) lines.push({ ...bare(line), mark: 'added', was: null });
    else if (was.value !== line.value) lines.push({ ...bare(line), mark: 'changed', was: was.value });
    else lines.push({ ...bare(line), mark: 'same', was: null });
  }
  for (; oldIndex < old.length; oldIndex++) pushRemoved(old[oldIndex], nowPaths, lines);
  return lines;
}

function pushRemoved(line: FlatLine | undefined, nowPaths: ReadonlySet<string>, lines: ObjectLine[]): void {
  if (line !== undefined && !nowPaths.has(line.path)) lines.push({ ...bare(line), mark: 'removed', was: null });
}

const bare = ({ indent, dash, key, value }: FlatLine) => ({ indent, dash, key, value });

function flatten(json: Json): readonly FlatLine[] {
  const lines: FlatLine[] = [];
  const put = (key: string, value: Json, indent: number, dash: boolean, path: string): void => {
    const open = { indent, dash, key, path };
    if (isList(value) && value.length > 0) {
      lines.push({ ...open, value: null });
      value.forEach((item, i) => {
        putItem(item, indent, `${path}/${identityOf(item, i)}`);
      });
    } else if (isMap(value) && Object.keys(value).length > 0) {
      lines.push({ ...open, value: null });
      for (const [name, inner] of Object.entries(value)) put(name, inner, indent + 1, false, `${path}/${name}`);
    } else {
      lines.push({ ...open, value: scalar(value) });
    }
  };
  const putItem = (item: Json, indent: number, path: string): void => {
    if (!isMap(item)) return put('', item, indent + 1, true, path);
    Object.entries(item).forEach(([name, inner], i) => {
      put(name, inner, indent + 1, i === 0, `${path}/${name}`);
    });
  };
  if (isMap(json)) for (const [name, value] of Object.entries(json)) put(name, value, 0, false, name);
  return lines;
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
const isMap = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function identityOf(item: Json, index: number): string {
  if (!isMap(item)) return `${index}`;
  const { type, name, targetRef = null, ip } = item;
  const target = isMap(targetRef) ? targetRef.name : undefined;
  return [type, name, target, ip].find((own) => typeof own === 'string') ?? `${index}`;
}

/** As YAML would write it: strings that read as something else are quoted. */
function scalar(value: Json): string {
  if (isList(value)) return '[]';
  if (isMap(value)) return '{}';
  if (typeof value !== 'string') return String(value);
  const plain =
    /^[A-Za-z/][\w./:@-]*( [\w./:@-]+)*$/.test(value) &&
    !/^(true|false|null|yes|no|on|off)$/i.test(value) &&
    !/: |:$/.test(value);
  return plain ? value : JSON.stringify(value);
}
