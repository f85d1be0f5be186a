/** The parts of a stored Pod object that people ask about. The text in the trace is the whole object. */
import type { TraceReader } from './reader.ts';

export interface PodCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}
export interface ContainerStatus {
  readonly name: string;
  readonly ready: boolean;
  readonly started?: boolean;
  readonly restartCount: number;
  /** One of waiting, running, terminated. */
  readonly state: ContainerState;
  readonly lastState?: ContainerState;
}
export interface ContainerState {
  readonly waiting?: { readonly reason?: string; readonly message?: string };
  readonly running?: { readonly startedAt?: string };
  readonly terminated?: { readonly exitCode: number; readonly reason?: string; readonly finishedAt?: string };
}
export interface PodStatus {
  readonly phase?: string;
  readonly podIP?: string;
  readonly podIPs?: readonly { readonly ip: string }[];
  readonly conditions?: readonly PodCondition[];
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly initContainerStatuses?: readonly ContainerStatus[];
}

/** Key of a Pod as the API server has it. */
export const apiPodKey = (identity: string): string => `api/Pod/${identity}`;
/** Key of a Pod's status as the kubelet's status manager has it. */
export const statusPodKey = (identity: string): string => `status/Pod/${identity}`;

/** The status in one stored version, whether it holds a whole Pod or the status alone. */
export function podStatusOf(reader: TraceReader, version: number): PodStatus {
  const object = JSON.parse(reader.versionText(version)) as { readonly status?: PodStatus } & PodStatus;
  return object.status ?? object;
}
export const conditionOf = (status: PodStatus, type: string): PodCondition | null =>
  status.conditions?.find((condition) => condition.type === type) ?? null;
/** In the order in which they start. */
export const containerStatusesOf = ({
  initContainerStatuses = [],
  containerStatuses = [],
}: PodStatus): readonly ContainerStatus[] => [...initContainerStatuses, ...containerStatuses];
export const containerStatusOf = (status: PodStatus, name: string): ContainerStatus | null =>
  containerStatusesOf(status).find((container) => container.name === name) ?? null;
