import { hashText, scramble } from '../../base/hash.ts';
import type { Workload } from '../manifest/workload.ts';

/** Letters that Kubernetes uses in generated names (k8s.io/apimachinery/pkg/util/rand): no vowels, nothing that looks like another. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** A word of that alphabet, always the same for the same text. */
function word(text: string, length: number): string {
  let letters = '';
  for (let i = 0; i < length; i++) letters += ALPHABET[scramble(hashText(text, i)) % ALPHABET.length];
  return letters;
}

/** Selection, draws and links use it: no generated part. */
export const identityOf = (workload: Workload, ordinal: number): string =>
  workload.kind === 'Pod' ? workload.path : `${workload.path}#1/${ordinal}`;

/** The Pod's name as `kubectl` would show it. What the server would draw is made of the identity, so that it never changes. */
export function displayName(workload: Workload, ordinal: number): string {
  const suffix = (): string => word(identityOf(workload, ordinal), 5);
  switch (workload.kind) {
    case 'Pod':
      return workload.generateName === null ? workload.name : `${workload.generateName}${suffix()}`;
    case 'StatefulSet':
      return `${workload.name}-${ordinal}`;
    case 'Deployment':
      return `${workload.name}-${word(`${workload.path}#1`, 10)}-${suffix()}`;
    case 'ReplicaSet':
    case 'DaemonSet':
      return `${workload.name}-${suffix()}`;
  }
}

/** A static Pod has its node in its name (pkg/kubelet/config/common.go, generatePodName). */
export const staticName = (name: string, node: string): string => `${name}-${node.toLowerCase()}`;

/** A version 4 UUID made of the identity. */
export function uidOf(identity: string): string {
  const part = (i: number): string =>
    scramble(hashText(identity, 0x9e37 + i))
      .toString(16)
      .padStart(8, '0');
  const hex = part(0) + part(1) + part(2) + part(3);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}
