import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { run } from '../scripts/lib/run.mjs';
import type { EngineTask } from './engine.ts';

/** The engine in one minified file, and each task in a fresh process of it. */
export interface Engine {
  /** What the task measured. Throws with the program's own words when it fails. */
  readonly measure: (task: EngineTask) => Promise<number>;
  readonly remove: () => void;
}

/** Bundles bench/engine.ts into a temporary folder, by the bundler and with the settings of the page. */
export async function buildEngine(): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), 'podtopool-bench-'));
  await build({
    root: fileURLToPath(new URL('../', import.meta.url)),
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: 'bench/engine.ts',
      outDir: folder,
      emptyOutDir: true,
      copyPublicDir: false,
      minify: true,
      target: 'es2023',
      rolldownOptions: { output: { entryFileNames: 'engine.mjs' } },
    },
  });
  return {
    measure: async (task) => {
      const { status, output } = await run(process.execPath, [join(folder, 'engine.mjs'), task]);
      if (status !== 0) throw new Error(output.trim());
      return Number(output);
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
