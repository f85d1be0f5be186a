import { describe, expect, it } from 'vitest';
import { checkFile } from './check.ts';

/** `line rule` of each breach that the file commits. */
const breachesOf = (file: string, text: string): string[] =>
  checkFile(file, text).map(({ line, rule }) => `${line} ${rule}`);

describe('a planted breach is reported with its line and rule', () => {
  it.each<[name: string, file: string, text: string, breaches: string[]]>([
    ['a folder that the table does not know', 'src/helpers/a.ts', '', ['1 no layer']],
    ['a file beside the panels instead of in one', 'src/panels/a.tsx', '', ['1 no layer']],
    ['base imports the simulator', 'src/base/a.ts', "import { a } from '../sim/scenario.ts';", ['1 import']],
    ['base says a Kubernetes word, even in a comment', 'src/base/a.ts', '\n// the kubelet', ['2 word']],
    ['the simulator imports React', 'src/sim/a.ts', "\nimport { useState } from 'react';", ['2 package']],
    ['a type-only import counts', 'src/sim/a.ts', "import type { FC } from 'react';", ['1 package']],
    ['an import type expression counts', 'src/sim/a.ts', "type A = import('react').FC;", ['1 package']],
    ['a re-export counts', 'src/sim/a.ts', "export * from '../io/a.ts';", ['1 import']],
    ['a dynamic import counts', 'src/sim/a.ts', "const a = () => import('../io/a.ts');", ['1 import']],
    ['a computed import cannot be judged', 'src/sim/a.ts', 'const a = (b: string) => import(b);', ['1 import']],
    ['a glob import cannot be judged', 'src/app/a.ts', "import.meta.glob('../sim/*.ts');", ['1 import']],
    ['the simulator imports a Node module', 'src/sim/a.ts', "import { readFileSync } from 'fs';", ['1 package']],
    ['a package whose name only starts alike', 'src/ui/a.tsx', "import 'react-router';", ['1 package']],
    ['the simulator reads the clock', 'src/sim/a.ts', 'const a = 1;\n\nconst b = Date.now();', ['3 global']],
    ['the simulator throws dice', 'src/sim/a.ts', 'const a = Math.random();', ['1 global']],
    ['the dice by another spelling', 'src/sim/a.ts', "const a = Math['random']();", ['1 global']],
    ['the simulator sets a timer', 'src/sim/a.ts', 'setTimeout(() => {}, 1);', ['1 global']],
    ['the simulator measures', 'src/sim/a.ts', 'const a = performance.now();', ['1 global']],
    [
      'the simulator touches the page',
      'src/sim/a.ts',
      'document.title = "";\nwindow.close();',
      ['1 global', '2 global'],
    ],
    ['a global inside JSX', 'src/io/a.tsx', 'const a = <p>{window.name}</p>;', ['1 global']],
    ['a global as a shorthand property', 'src/io/a.ts', 'const a = { window };', ['1 global']],
    ['a global as a computed key', 'src/io/a.ts', 'const a = (b: string[]) => b[document.length];', ['1 global']],
    ['explain imports the simulator itself', 'src/explain/a.ts', "import '../sim/kernel/queue.ts';", ['1 import']],
    [
      'io takes more than types from explain',
      'src/io/a.ts',
      "import { a } from '../explain/a.ts';",
      ['1 type import only'],
    ],
    ['io imports a store', 'src/io/a.ts', "import { a } from '../state/a.ts';", ['1 import']],
    ['timeline imports a store', 'src/timeline/view/a.tsx', "import { a } from '../../state/a.ts';", ['1 import']],
    ['timeline uses React outside view', 'src/timeline/draw/a.ts', "import { useRef } from 'react';", ['1 package']],
    ['the model imports the view', 'src/timeline/model/a.ts', "import { a } from '../view/a.tsx';", ['1 import']],
    ['state imports a component', 'src/state/a.ts', "import { A } from '../panels/a/A.tsx';", ['1 import']],
    ['state imports what draws', 'src/state/a.ts', "import { a } from '../timeline/draw/a.ts';", ['1 import']],
    ['state starts the worker file', 'src/state/a.ts', "new URL('../app/worker.ts', import.meta.url);", ['1 import']],
    ['ui imports a store', 'src/ui/A.tsx', "import { useView } from '../state/view.ts';", ['1 import']],
    ['ui imports zustand', 'src/ui/A.tsx', "import { create } from 'zustand';", ['1 package']],
    ['a panel reaches inside another', 'src/panels/a/A.tsx', "import { B } from '../b/B.tsx';", ['1 import']],
    ['a panel imports the app', 'src/panels/a/A.tsx', "import { App } from '../../app/App.tsx';", ['1 import']],
    ['the app reaches inside a panel', 'src/app/A.tsx', "import { B } from '../panels/b/parts/B.tsx';", ['1 import']],
    ['a page file runs the simulator', 'src/app/A.tsx', "import '../sim/simulate.ts';", ['1 import']],
    ['a panel runs the simulator', 'src/panels/a/A.tsx', "import '../../sim/simulate.ts';", ['1 import']],
    ['the worker imports React', 'src/app/worker.ts', "import 'react';", ['1 package']],
    ['the command line imports React', 'src/cli/main.ts', "import 'react';", ['1 package']],
    ['product code imports a test package', 'src/sim/a.ts', "import { it } from 'vitest';", ['1 package']],
    ['product code imports from outside src', 'src/sim/a.ts', "import '../../test/a.ts';", ['1 import']],
    ['two breaches, in the order of lines', 'src/sim/a.ts', "import 'react';\nDate.now();", ['1 package', '2 global']],
  ])('%s', (_name, file, text, breaches) => {
    expect(breachesOf(file, text)).toEqual(breaches);
  });
});

describe('what the table allows is not reported', () => {
  it.each<[name: string, file: string, text: string]>([
    [
      'the simulator imports base and its libraries',
      'src/sim/kernel/a.ts',
      "import '../../base/units.ts';\nimport 'xstate';",
    ],
    ["explain imports the simulator's output", 'src/explain/a.ts', "import '../sim/trace/reader.ts';"],
    ['io imports types from explain', 'src/io/a.ts', "import type { A } from '../explain/a.ts';"],
    ['the view imports React and the model', 'src/timeline/view/A.tsx', "import 'react';\nimport '../model/a.ts';"],
    ['a sub-path of a package', 'src/ui/A.tsx', "import { Slider } from '@base-ui/react/slider';"],
    ['a style sheet beside the component', 'src/ui/A.tsx', "import './A.css';"],
    ['a panel imports another by its door', 'src/panels/a/A.tsx', "import { B } from '../b/index.ts';"],
    ['the app imports a panel', 'src/app/App.tsx', "import { B } from '../panels/b/B.tsx';"],
    ['the app starts the worker', 'src/app/a.ts', "new Worker(new URL('./worker.ts', import.meta.url));"],
    ['the worker runs the simulator', 'src/app/worker.ts', "import { startRunWith } from '../sim/run.ts';"],
    ['a test uses its tools and simulates', 'src/explain/a.test.ts', "import 'vitest';\nimport '../sim/simulate.ts';"],
    ['a test reads what lies outside src', 'src/io/a.test.ts', "import a from '../../public/a.json';"],
    ['a name in a comment or a text', 'src/sim/a.ts', "// Date\nconst a = 'window';"],
    [
      'a property of the same name',
      'src/sim/a.ts',
      'const a = (b: { window: 1 }) => b.window;\nconst c = { document: 2 };',
    ],
    ['a local of the same name', 'src/io/a.ts', 'for (const document of [1]) if (document) break;'],
    ['a destructured parameter of the same name', 'src/io/a.ts', 'const a = ({ window: { self } }: A) => self;'],
    ['other members of Math', 'src/sim/a.ts', 'const a = Math.max(1, 2);'],
  ])('%s', (_name, file, text) => {
    expect(checkFile(file, text)).toEqual([]);
  });
});

it('says which file, what is wrong and what would be right', () => {
  expect(checkFile('src/sim/a.ts', "// 中文\nimport 'react';")).toEqual([
    {
      file: 'src/sim/a.ts',
      line: 2,
      rule: 'package',
      message: 'src/sim/ may not import the package react; it may import xstate',
    },
  ]);
});

it('names the file that does not parse', () => {
  expect(() => checkFile('src/sim/a.ts', 'const = ;')).toThrow(/^src\/sim\/a\.ts: /);
});
