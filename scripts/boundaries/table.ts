/**
 * The import table of docs/architecture.md as data.
 *
 * A pattern is a path from the repository's root. `*` stands for one path segment or a part of it; a pattern
 * that ends in `/` covers all below it. The most specific layer (the longest pattern) that fits a file is its
 * layer. What is not listed is forbidden; a layer may always import itself.
 */
export interface Layer {
  /** Where the layer lives. With a `*`, each folder that fits is a layer of its own. */
  readonly at: string;
  /** Files it may import. */
  readonly imports: readonly string[];
  /** Files it may import with `import type` only. */
  readonly importsTypes?: readonly string[];
  /** Packages it may import; a package's sub-paths are included. */
  readonly packages: readonly string[];
  /** Global names it must not touch; `Math.random` is written with its object. */
  readonly globals: readonly string[];
  /** Words that must not appear in it, comments included. */
  readonly words?: RegExp;
}

/** What the rest of the product may know of the simulator: its input, its facts, its output, and what objects are. */
const SIM_TYPES = [
  'src/sim/scenario.ts',
  'src/sim/clusterInput.ts',
  'src/sim/clientInput.ts',
  'src/sim/workloadsInput.ts',
  'src/sim/facts.ts',
  'src/sim/trace/',
  'src/sim/api/objects.ts',
  'src/sim/api/stableNames.ts',
  'src/sim/api/workloadObjects.ts',
  'src/sim/api/podStatus.ts',
  'src/sim/api/sliceWrites.ts',
  'src/sim/proxy/rules.ts',
];
const SIMULATE = 'src/sim/simulate.ts';
/** The same in parts, for a page that loads what runs a cluster when it is first needed. */
const SIMULATE_IN_PARTS = ['src/sim/run.ts', 'src/sim/cluster.ts'];

const REACT = ['react', 'react-dom'];
const D3 = ['d3-*'];

const DOM = [
  'document',
  'window',
  'self',
  'globalThis',
  'navigator',
  'location',
  'localStorage',
  'sessionStorage',
  'fetch',
  'XMLHttpRequest',
  'WebSocket',
  'requestAnimationFrame',
  'HTMLElement',
];
const CLOCK_AND_CHANCE = [
  'Date',
  'performance',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'requestIdleCallback',
  'Math.random',
  'crypto',
  'process',
];
const KUBERNETES_WORD = /kube|\bpods?\b|\bprobe|\bcontainer|endpoint|api ?server/i;

const TIMELINE = ['src/timeline/', 'src/timeline/view/'];
const BELOW_PAGE = ['src/base/', ...SIM_TYPES, 'src/explain/', 'src/io/', ...TIMELINE, 'src/state/', 'src/ui/'];
const PAGE_PACKAGES = [
  ...REACT,
  ...D3,
  '@base-ui/react',
  '@codemirror/*',
  'codemirror',
  'comlink',
  'lucide-react',
  'react-resizable-panels',
  'xstate',
  'zustand',
];
/** The one look into the simulator that a panel has: the chart it draws is the machine that runs. */
const PROBE_MACHINE = 'src/sim/kubelet/prober/probeWorkerMachine.ts';
/** What other panels may use of a panel. */
const PANEL_DOORS = 'src/panels/*/index.ts*';
const STRINGS = 'src/app/strings/';

export const LAYERS: readonly Layer[] = [
  { at: 'src/base/', imports: [], packages: [], globals: [...DOM, ...CLOCK_AND_CHANCE], words: KUBERNETES_WORD },
  {
    at: 'src/sim/',
    imports: ['src/base/'],
    packages: ['xstate'],
    globals: [...DOM, ...CLOCK_AND_CHANCE],
  },
  { at: 'src/explain/', imports: ['src/base/', ...SIM_TYPES], packages: [], globals: DOM },
  {
    at: 'src/io/',
    imports: ['src/base/', ...SIM_TYPES],
    importsTypes: ['src/explain/'],
    packages: ['yaml', 'zod', 'fflate'],
    globals: DOM,
  },
  { at: 'src/timeline/', imports: ['src/base/', ...SIM_TYPES], packages: D3, globals: [] },
  {
    at: 'src/timeline/view/',
    imports: ['src/base/', ...SIM_TYPES, 'src/timeline/'],
    packages: [...D3, ...REACT],
    globals: [],
  },
  {
    at: 'src/state/',
    imports: ['src/base/', ...SIM_TYPES, 'src/io/', 'src/explain/', 'src/timeline/model/'],
    packages: ['zustand', 'comlink'],
    globals: [],
  },
  { at: 'src/ui/', imports: ['src/base/'], packages: [...REACT, '@base-ui/react', 'lucide-react'], globals: [] },
  {
    at: 'src/panels/*/',
    imports: [...BELOW_PAGE, PANEL_DOORS, PROBE_MACHINE, STRINGS],
    packages: PAGE_PACKAGES,
    globals: [],
  },
  { at: 'src/lessons/', imports: [...BELOW_PAGE, PANEL_DOORS, STRINGS], packages: PAGE_PACKAGES, globals: [] },
  // The files that lie directly in a panel's folder are its outside; what it keeps in folders of its own is not.
  {
    at: 'src/app/',
    imports: [...BELOW_PAGE, 'src/panels/*/*', 'src/lessons/*', STRINGS, 'src/app/worker.ts'],
    packages: PAGE_PACKAGES,
    globals: [],
  },
  { at: STRINGS, imports: ['src/base/'], packages: [], globals: [] },
  {
    at: 'src/app/worker.ts',
    imports: ['src/base/', ...SIM_TYPES, SIMULATE, ...SIMULATE_IN_PARTS],
    importsTypes: ['src/state/'],
    packages: ['comlink'],
    globals: [],
  },
  {
    at: 'src/cli/',
    imports: ['src/base/', 'src/sim/', 'src/explain/', 'src/io/'],
    packages: ['node:*'],
    globals: DOM,
  },
];

/** What a test may import beside what its layer may. */
export const TESTS = {
  files: /\.test\.tsx?$/,
  imports: [SIMULATE],
  packages: ['vitest', 'fast-check', '@testing-library/*', 'node:*'],
} as const;
