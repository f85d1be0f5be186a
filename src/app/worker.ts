/** The simulator's own thread. Yields every few milliseconds, so that a newer request or a cancel ends the run before it. */
import { expose, transfer } from 'comlink';
import { startRunWith } from '../sim/run.ts';
import type { TraceData } from '../sim/trace/trace.ts';
import type { SimulatorWorker } from '../state/simulatorClient.ts';

/** A run is in one piece for so long, ms. */
const SLICE = 8;
/** Pending calls between two looks at the clock: about half a millisecond. */
const BUDGET = 500;
/** Runs shorter than this report nothing, ms. */
const QUIET = 150;

let newest = 0;
let report: (done: number) => void = () => {};
const { port1, port2 } = new MessageChannel();

/** Lets waiting messages in. Unlike a timer it is not held back. */
const yieldToMessages = (): Promise<void> =>
  new Promise((resolve) => {
    port1.onmessage = () => resolve();
    port2.postMessage(null);
  });

const simulator: SimulatorWorker = {
  simulate: async (scenario) => {
    const request = ++newest;
    // Only texts with a Service have a cluster: what simulates it comes when it is first needed.
    const clusterStarter = scenario.cluster === null ? null : (await import('../sim/cluster.ts')).startCluster;
    if (request !== newest) return null;
    const run = startRunWith(clusterStarter, scenario);
    const began = performance.now();
    let sliceEnd = began + SLICE;
    while (run.advance(BUDGET)) {
      if (performance.now() < sliceEnd) continue;
      await yieldToMessages();
      if (request !== newest) return null;
      if (performance.now() - began > QUIET) report(run.now / scenario.duration);
      sliceEnd = performance.now() + SLICE;
    }
    const trace = run.trace();
    return transfer(trace, buffersOf(trace));
  },
  cancel: () => {
    newest++;
  },
  onProgress: (listener) => {
    report = listener;
  },
};
expose(simulator);

/** Every buffer behind the columns, once. */
function buffersOf(trace: TraceData): ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  const visit = (value: unknown): void => {
    if (ArrayBuffer.isView(value)) {
      if (value.buffer instanceof ArrayBuffer) buffers.add(value.buffer);
    } else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      Object.values(value).forEach(visit);
    }
  };
  visit(trace);
  return [...buffers];
}
