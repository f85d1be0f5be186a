import { parseAllDocuments, stringify } from 'yaml';
import * as z from 'zod';
import { checked, RecordingError } from './recordingFiles.ts';
import type { World } from './world.ts';

const FILE = 'manifests.yaml';

const manifest = z.looseObject({
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
});
const workload = z.looseObject({
  metadata: z.looseObject({ name: z.string(), namespace: z.string().optional() }),
  spec: z.looseObject({
    template: z.looseObject({ metadata: z.looseObject({}).default({}), spec: z.looseObject({}) }),
  }),
});

/** Objects that make Pods; the recording says which, and when. */
const WORKLOADS: ReadonlySet<string> = new Set(['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet']);

/** The manifests of a recording, with each workload's Pods, by their recorded names, in its place. */
export function podManifests(text: string, { pods }: World): string {
  const documents = parseAllDocuments(text);
  const broken = documents.flatMap(({ errors }) => errors)[0];
  if (broken) throw new RecordingError(`${FILE}: ${broken.message}`);
  const objects = documents.flatMap((document) => {
    const data: unknown = document.toJS();
    return data === null ? [] : [data];
  });
  return objects
    .flatMap((object) => {
      const { kind, metadata } = checked(manifest, object, FILE);
      if (!WORKLOADS.has(kind)) return [object];
      const { spec, metadata: own } = checked(workload, object, FILE);
      const made = pods.filter(({ pod }) => pod.startsWith(`${metadata.name}-`));
      return made.map(({ pod }) => ({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { ...spec.template.metadata, name: pod, namespace: own.namespace },
        spec: spec.template.spec,
      }));
    })
    .map((object) => stringify(object))
    .join('---\n');
}
