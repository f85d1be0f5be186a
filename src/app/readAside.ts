/** Large texts are read in a thread that starts with the first of them: this file comes with it. */
import { wrap } from 'comlink';
import type { ReadResult } from '../io/readScenario.ts';
import type { Draft, ReaderWorker } from '../state/draftReader.ts';
import { newestOnly } from '../state/newestOnly.ts';

const reader = wrap<ReaderWorker>(new Worker(new URL('./reader.ts', import.meta.url), { type: 'module' }));

/** Null: a newer one came meanwhile. */
export const readAside: (draft: Draft) => Promise<ReadResult | null> = newestOnly((draft) => reader.read(draft));
