import { CLIENT_EDITS } from './clientEdits.ts';
import type { Edit } from './edit.ts';
import { ENDPOINTS_EDITS } from './endpointsEdits.ts';
import { KUBELET_EDITS } from './kubeletEdits.ts';
import { NODE_EDITS } from './nodeEdits.ts';
import { PROXY_EDITS } from './proxyEdits.ts';
import { SLICE_EDITS } from './sliceEdits.ts';
import { WORKLOAD_EDITS } from './workloadEdits.ts';

/** An edit, and the folder of test/recordings that is asked first. */
export interface JudgedEdit extends Edit {
  readonly recordings: 'kubelet' | 'controlplane' | 'workloads' | 'endtoend';
}

const judgedBy = (recordings: JudgedEdit['recordings'], edits: readonly Edit[]): readonly JudgedEdit[] =>
  edits.map((edit) => ({ ...edit, recordings }));

/** One wrong edit each; at least one test has to fail for each of them. */
export const EDITS: readonly JudgedEdit[] = [
  ...judgedBy('kubelet', KUBELET_EDITS),
  ...judgedBy('controlplane', [...ENDPOINTS_EDITS, ...SLICE_EDITS, ...PROXY_EDITS]),
  ...judgedBy('workloads', [...WORKLOAD_EDITS, ...NODE_EDITS]),
  ...judgedBy('endtoend', CLIENT_EDITS),
];
