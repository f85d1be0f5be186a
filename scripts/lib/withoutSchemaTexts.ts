import type { Plugin } from 'vite';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly callee?: { readonly name?: string };
  readonly arguments?: readonly Node[];
}

/**
 * What fields of the Scenario document mean stands beside them for `npm run schema`; the page shows none of it and is
 * built without: the second argument of each `optional(schema, text)` becomes an empty text.
 */
export const withoutSchemaTexts = (): Plugin => ({
  name: 'without-schema-texts',
  apply: 'build',
  transform: {
    filter: { id: /\/src\/io\/schema\/[^/]+\.ts$/ },
    handler(code) {
      const texts: Node[] = [];
      collect(this.parse(code, { lang: 'ts' }) as unknown as Node, texts);
      const ends = texts.toSorted((a, b) => b.start - a.start);
      return {
        code: ends.reduce((rest, { start, end }) => `${rest.slice(0, start)}''${rest.slice(end)}`, code),
        map: null,
      };
    },
  },
});

function collect(node: Node, texts: Node[]): void {
  const text = node.type === 'CallExpression' && node.callee?.name === 'optional' ? node.arguments?.[1] : undefined;
  if (text) texts.push(text);
  for (const child of Object.values(node).flat()) {
    if (child !== text && typeof child === 'object' && child !== null && 'type' in child) collect(child as Node, texts);
  }
}
