import { parseAllDocuments } from 'yaml';
import * as z from 'zod';
import { yamlText } from '../yaml/write.ts';
import type { Incarnation } from './incarnations.ts';
import type { PodObject } from './podObjects.ts';
import { checked, RecordingError } from './recordingFiles.ts';

const FILE = 'manifests.yaml';

const manifest = z.looseObject({
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
});

/** Objects that are, or make, Pods: the recording says which there were. */
const POD_MAKERS: ReadonlySet<string> = new Set([
  'Pod',
  'Deployment',
  'ReplicaSet',
  'ReplicationController',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'CronJob',
]);

/** A Pod with its object. */
export interface RecordedPod extends Incarnation {
  readonly object: PodObject;
}

/** The name under which a Pod stands in the manifests: its own, but for a later one of the same name. */
export const manifestName = ({ key }: Incarnation): string => key.replace('#', '--');

/** The manifests of a recording, with the Pods that there were in place of what made them. */
export function podManifests(text: string, pods: readonly RecordedPod[]): string {
  const documents = parseAllDocuments(text);
  const broken = documents.flatMap(({ errors }) => errors)[0];
  if (broken) throw new RecordingError(`${FILE}: ${broken.message}`);
  const objects = documents.flatMap((document) => {
    const data: unknown = document.toJS();
    return data === null || POD_MAKERS.has(checked(manifest, data, FILE).kind) ? [] : [data];
  });
  const made = pods.map(({ object: { labels, namespace, spec }, ...pod }) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: manifestName(pod), namespace, labels },
    spec: {
      initContainers: spec.initContainers.map(withoutVolumes),
      containers: spec.containers.map(withoutVolumes),
      restartPolicy: spec.restartPolicy,
      terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds,
      activeDeadlineSeconds: spec.activeDeadlineSeconds,
      readinessGates: spec.readinessGates,
    },
  }));
  return [...objects, ...made].map((object) => yamlText(object)).join('---\n');
}

/** The volumes are those that the API server adds to each Pod. */
const withoutVolumes = (container: object): object => ({ ...container, volumeMounts: undefined });
