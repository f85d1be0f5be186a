import { stableWord } from '../../sim/api/stableNames.ts';
import type { Workload } from '../manifest/workload.ts';

/** Selection, draws and links use it: no generated part. */
export const identityOf = (workload: Workload, ordinal: number): string =>
  workload.kind === 'Pod' ? workload.path : `${workload.path}#1/${ordinal}`;

/** The Pod's name as `kubectl` would show it. What the server would draw is made of the identity, so that it never changes. */
export function displayName(workload: Workload, ordinal: number): string {
  const suffix = (): string => stableWord(identityOf(workload, ordinal), 5);
  switch (workload.kind) {
    case 'Pod':
      return workload.generateName === null ? workload.name : `${workload.generateName}${suffix()}`;
    case 'StatefulSet':
      return `${workload.name}-${ordinal}`;
    case 'Deployment':
      return `${workload.name}-${stableWord(`${workload.path}#1`, 10)}-${suffix()}`;
    case 'ReplicaSet':
    case 'DaemonSet':
      return `${workload.name}-${suffix()}`;
  }
}

/** A static Pod has its node in its name (pkg/kubelet/config/common.go, generatePodName). */
export const staticName = (name: string, node: string): string => `${name}-${node.toLowerCase()}`;

/** Whether a text is the identity of a Pod of that workload, as controllers give them out. */
export const isIdentityOf = (text: string, { path }: Workload): boolean =>
  text.startsWith(`${path}#`) && /^\d+\/\d+(~\d+)?$/.test(text.slice(path.length + 1));
