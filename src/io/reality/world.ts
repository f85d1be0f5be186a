import * as z from 'zod';
import { checked, needed, parsedJson, type ReadFile } from './recordingFiles.ts';

const listOf = <T extends z.ZodType>(type: T) => z.nullish(z.array(type)).transform((list) => list ?? []);

const step = z.object({
  at: z.number(),
  listen: z.boolean().optional(),
  path: z.string().optional(),
  code: z.number().optional(),
  delay: z.number().optional(),
  file: z.string().optional(),
  present: z.boolean().optional(),
  grpc: z.string().optional(),
  exit: z.number().optional(),
});
/** A step of an app's script; `at` and `delay` in ms. */
export type ScriptStep = z.output<typeof step>;
/** Run by run; the last holds for all later ones. */
export const appScript = z.array(z.array(step));

const container = z.object({
  pod: z.string(),
  container: z.string(),
  run: z.number(),
  startedUs: z.number(),
  exitedUs: z.number().optional(),
});

const action = z.object({
  do: z.string(),
  args: z.record(z.string(), z.unknown()),
  t: z.number(),
  endUs: z.number(),
});
export type WorldAction = z.output<typeof action>;

const config = z.nullish(z.looseObject({})).transform((fields) => fields ?? {});

/** `world.json`: what the world did. Instants are µs since the Unix epoch. */
const world = z.object({
  schema: z.literal(1),
  name: z.string(),
  node: z.string(),
  kubernetes: z.string(),
  t0Us: z.number(),
  endUs: z.number(),
  kubelet: z.object({ startedUs: z.array(z.number()).min(1), config }),
  proxy: z.object({ mode: z.enum(['iptables', 'nftables', 'ipvs']), config }),
  services: z.array(z.object({ name: z.string(), clusterIP: z.string() })),
  created: z.array(z.object({ kind: z.string(), name: z.string(), t: z.number(), endUs: z.number() })),
  actions: listOf(action),
  pods: z.array(z.object({ pod: z.string(), uid: z.string().default(''), sandboxUs: listOf(z.number()) })),
  containers: z.array(container),
  client: z.object({ everyMs: z.number(), timeoutMs: z.number() }),
});
export type World = z.output<typeof world>;

/** Reads `world.json`. Throws a RecordingError that says what is wrong with it. */
export function readWorld(read: ReadFile): World {
  const file = 'world.json';
  return checked(world, parsedJson(needed(read, file), file), file);
}
