/** Wrong edits of the controllers of nodes. */
import { type Edit, edit } from './edit.ts';

export const NODE_EDITS: readonly Edit[] = [
  edit(
    'N-031',
    'a node is given up after as long as its Lease lasts',
    'workloadsInput.ts',
    'gracePeriod: seconds(50)',
    'gracePeriod: seconds(40)',
  ),
  edit(
    'N-032',
    'the controller believes a cache of Leases that is behind',
    'controllers/nodelifecycle/nodeMonitor.ts',
    'if (live && live.meta.resourceVersion !==',
    'if (!live && 0 !==',
  ),
  edit(
    'N-035',
    'two nodes of a zone are tainted at once',
    'controllers/nodelifecycle/taintQueue.ts',
    'const BURST = 1',
    'const BURST = 2',
  ),
  edit(
    'N-035',
    'nodes are tainted although all zones are down',
    'controllers/nodelifecycle/zoneTainter.ts',
    'if (isDown) return yield* this.enterDisruption(nodes);',
    'if (isDown) return;',
  ),
  edit(
    'N-036',
    'of several tolerations the longest counts',
    'controllers/tainteviction/tolerations.ts',
    'Math.min(...lengths)',
    'Math.max(...lengths)',
  ),
  edit(
    'N-036',
    'an eviction is carried out although the taint is gone',
    'controllers/tainteviction/taintEvictionController.ts',
    'planned.timer.cancelled = true',
    'planned.timer.cancelled = false',
  ),
  edit(
    'N-037',
    'Pods of a missing node are removed by the first pass that finds them',
    'controllers/podgc/podGcController.ts',
    'const QUARANTINE = seconds(40)',
    'const QUARANTINE = seconds(0)',
  ),
];
