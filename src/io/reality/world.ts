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

const client = z.object({ everyMs: z.number(), timeoutMs: z.number() });
/** Nothing is attempted: what is said of attempts does not matter. */
const NO_CLIENT: z.output<typeof client> = { everyMs: 50, timeoutMs: 1000 };

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
  services: listOf(z.object({ name: z.string() })),
  created: listOf(z.object({ kind: z.string(), name: z.string(), endUs: z.number() })),
  actions: listOf(action),
  pods: listOf(z.object({ pod: z.string(), uid: z.string().default(''), sandboxUs: listOf(z.number()) })),
  containers: listOf(container),
  client: z.nullish(client).transform((own) => own ?? NO_CLIENT),
});
export type World = z.output<typeof world>;

/** Reads `world.json`. Throws a RecordingError that says what is wrong with it. */
export function readWorld(read: ReadFile): World {
  const file = 'world.json';
  return checked(world, parsedJson(needed(read, file), file), file);
}
