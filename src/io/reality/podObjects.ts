import * as z from 'zod';
import { checked, jsonLines, needed, type ReadFile, RecordingError } from './recordingFiles.ts';
import { appScript, type ScriptStep } from './world.ts';

const FILE = 'pods-watch.jsonl';

const container = z.looseObject({
  name: z.string(),
  env: z.array(z.looseObject({ name: z.string(), value: z.string().optional() })).default([]),
});
const podSpec = z.looseObject({
  containers: z.array(container),
  initContainers: z.array(container).default([]),
  terminationGracePeriodSeconds: z.number().optional(),
  restartPolicy: z.string().optional(),
  activeDeadlineSeconds: z.number().optional(),
  readinessGates: z.array(z.looseObject({})).optional(),
});
const watched = z.object({
  object: z.object({
    metadata: z.object({
      uid: z.string(),
      name: z.string(),
      namespace: z.string(),
      labels: z.record(z.string(), z.string()).default({}),
    }),
    spec: podSpec,
  }),
});

/** A Pod as a watch first showed it. */
export interface PodObject {
  readonly name: string;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly spec: z.output<typeof podSpec>;
}

/** What an app does: its runs, as in `world.json`, and how it takes SIGTERM. */
export interface App {
  readonly runs: readonly (readonly ScriptStep[])[];
  readonly onSigterm: string | undefined;
  /** Numbers of the ports that it opens. */
  readonly ports: readonly string[];
}

/** The Pods of a recording as they were first seen, by UID. */
export function podObjects(read: ReadFile): ReadonlyMap<string, PodObject> {
  const found = new Map<string, PodObject>();
  for (const { object } of jsonLines(needed(read, FILE), FILE, watched)) {
    const { uid, ...metadata } = object.metadata;
    if (!found.has(uid)) found.set(uid, { ...metadata, spec: object.spec });
  }
  return found;
}

/** What the environment of a container says of its app. */
export function appOf({ spec, name: pod }: PodObject, name: string): App {
  const env = [...spec.containers, ...spec.initContainers].find((one) => one.name === name)?.env ?? [];
  const setting = (key: string): string | undefined => env.find((one) => one.name === key)?.value;
  const script = setting('APP_SCRIPT');
  const place = `${FILE}, APP_SCRIPT of ${pod}`;
  return {
    runs: script === undefined ? [[]] : checked(appScript, scriptIn(script, place), place),
    onSigterm: setting('APP_TERM'),
    ports: [setting('PORT') ?? '8080', setting('GRPC_PORT') ?? []].flat(),
  };
}

function scriptIn(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new RecordingError(`${place}: no JSON (${error instanceof Error ? error.message : error})`);
  }
}
