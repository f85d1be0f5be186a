import { parseSync } from 'vite';

/** One import of any form: static, `export … from`, type, dynamic, `new URL(…, import.meta.url)`. */
export interface ImportUse {
  /** Null where the specifier is computed, so that nobody can tell what is imported. */
  readonly specifier: string | null;
  readonly typeOnly: boolean;
  /** 1-based. */
  readonly line: number;
}
export interface GlobalUse {
  readonly name: string;
  /** 1-based. */
  readonly line: number;
}
export interface Uses {
  readonly imports: readonly ImportUse[];
  /** Free names. A name that the file binds anywhere is left out: there the compiler judges. */
  readonly globals: readonly GlobalUse[];
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [field: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/**
 * What a TypeScript file takes from outside itself.
 * Throws an Error that names the file when it does not parse.
 */
export function usesOf(file: string, text: string): Uses {
  const { program, errors } = parseSync(file, text);
  const [error] = errors;
  if (error) throw new Error(`${file}: ${error.message}`);
  const lineAt = (offset: number): number => text.slice(0, offset).split('\n').length;
  const imports: ImportUse[] = [];
  const names: GlobalUse[] = [];
  const bound = new Set<string>();

  const visit = (node: Node, key: string, parent: Node | null, binding: boolean): void => {
    const imported = importOf(node);
    if (imported) imports.push({ ...imported, line: lineAt(node.start) });
    const name = nameOf(node, key, parent);
    if (name !== null && binding) bound.add(name);
    if (name !== null && !binding) names.push({ name, line: lineAt(node.start) });
    for (const [field, value] of Object.entries(node)) {
      const binds = BINDING_FIELDS.has(field) || (binding && PATTERNS.has(node.type) && PATTERN_FIELDS.has(field));
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, field, node, binds);
    }
  };
  visit(program as unknown as Node, '', null, false);
  return { imports, globals: names.filter(({ name }) => !bound.has(name.split('.')[0] ?? name)) };
}

/** Fields that hold what a declaration binds, and fields through which a pattern hands that on. */
const BINDING_FIELDS = new Set(['id', 'params', 'param', 'local']);
const PATTERNS = new Set(['ObjectPattern', 'ArrayPattern', 'AssignmentPattern', 'RestElement', 'Property']);
const PATTERN_FIELDS = new Set(['properties', 'elements', 'left', 'argument', 'value']);
/** Fields that hold a name which is no reference. */
const LABEL_FIELDS = new Set(['key', 'property', 'imported', 'exported', 'label', 'meta', 'qualifier']);

function importOf(node: Node): Omit<ImportUse, 'line'> | null {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
      if (!isNode(node.source)) return null;
      return { specifier: literal(node.source), typeOnly: node.importKind === 'type' || node.exportKind === 'type' };
    case 'TSImportType':
      return { specifier: literal(node.source), typeOnly: true };
    case 'ImportExpression':
      return { specifier: literal(node.source), typeOnly: false };
    case 'CallExpression':
      return isImportMeta(node.callee) ? { specifier: null, typeOnly: false } : null; // import.meta.glob(…)
    case 'NewExpression': {
      const [address, base] = Array.isArray(node.arguments) ? node.arguments : [];
      const isUrl = isNode(node.callee) && node.callee.name === 'URL' && isImportMeta(base);
      return isUrl ? { specifier: literal(address), typeOnly: false } : null;
    }
    default:
      return null;
  }
}

const literal = (node: unknown): string | null =>
  isNode(node) && node.type === 'Literal' && typeof node.value === 'string' ? node.value : null;

/** `import.meta.url`, `import.meta.glob` and the like. */
const isImportMeta = (node: unknown): boolean =>
  isNode(node) && node.type === 'MemberExpression' && isNode(node.object) && node.object.type === 'MetaProperty';

/** The name that a node refers to or binds; a member of Math counts as one name. */
function nameOf(node: Node, key: string, parent: Node | null): string | null {
  if (node.type === 'MemberExpression' && isNode(node.object) && node.object.name === 'Math') {
    const { property } = node;
    return isNode(property) ? `Math.${literal(property) ?? property.name}` : null;
  }
  if (node.type !== 'Identifier' || typeof node.name !== 'string') return null;
  if (LABEL_FIELDS.has(key) && parent?.computed !== true) return null;
  if (parent?.type === 'TSQualifiedName' && key === 'right') return null;
  return node.name;
}
