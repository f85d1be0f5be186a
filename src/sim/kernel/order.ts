/**
 * Who acts first among independent events of one instant. The real order of these is a race between
 * goroutines or machines; this table fixes one, in the direction in which information flows.
 */
export const PHASE = {
  app: 0,
  runtime: 1,
  apiServer: 2,
  kubelet: 3,
  probeWorker: 4,
  controller: 5,
  proxy: 6,
  client: 7,
} as const;
export type Phase = keyof typeof PHASE;
