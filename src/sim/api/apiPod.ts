import type { PodInput } from '../scenario.ts';
import type { Labels } from './objects.ts';
import type { PodCondition, PodStatus } from './podStatus.ts';

/** A Pod as stored: immutable, one object for each resource version. */
export interface ApiPod {
  readonly input: PodInput;
  readonly resourceVersion: number;
  readonly generation: number;
  /** Whole seconds since the Unix epoch. */
  readonly creationTimestamp: number;
  readonly labels: Labels;
  readonly annotations: Labels;
  /** Whole seconds since the Unix epoch; null while nobody asked for a deletion. */
  readonly deletionTimestamp: number | null;
  readonly deletionGracePeriodSeconds: number | null;
  readonly status: PodStatus;
}

export const readyConditionOf = ({ status }: ApiPod): PodCondition | undefined =>
  status.conditions.find(({ type }) => type === 'Ready');

export const isPodReady = (pod: ApiPod): boolean => readyConditionOf(pod)?.status === 'True';
