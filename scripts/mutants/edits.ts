import type { Edit } from './edit.ts';
import { ENDPOINTS_EDITS } from './endpointsEdits.ts';
import { KUBELET_EDITS } from './kubeletEdits.ts';
import { PROXY_EDITS } from './proxyEdits.ts';
import { SLICE_EDITS } from './sliceEdits.ts';

/** One wrong edit each; at least one test has to fail for each of them. */
export const EDITS: readonly Edit[] = [...KUBELET_EDITS, ...ENDPOINTS_EDITS, ...SLICE_EDITS, ...PROXY_EDITS];
