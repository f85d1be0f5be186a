import type { Task } from '../kernel/kernel.ts';
import { detectsLocalPods } from './context.ts';
import { frontendsOf } from './frontends.ts';
import {
  FULL_SYNC_PERIOD,
  INJECTED_FAILURE,
  type Mode,
  type ModeContext,
  type Outcome,
  type RuleWriter,
  type Snapshot,
} from './mode.ts';
import type { ServiceRules } from './rules.ts';
import { portKey } from './servicePort.ts';

/**
 * A simple stand-in for the data planes that replace kube-proxy and choose a backend in eBPF programs (P-044). They read
 * Services and slices themselves, and change the entries of their maps for the Services that changed: the frontends that
 * iptables mode has, without a minimum time between two updates. No model of any one project.
 */
export const ebpf: Mode = {
  start: (context) => new MapWriter(context),
  isAlwaysFull: () => false,
  logsRetry: true,
  maxInterval: () => FULL_SYNC_PERIOD,
};

class MapWriter implements RuleWriter {
  readonly skipsPeriodicFullSync = false;
  private readonly context: ModeContext;

  constructor(context: ModeContext) {
    this.context = context;
  }

  *sync({ written }: Snapshot): Task<Outcome> {
    const { select, write, error } = this.context;
    const options = { detectsLocalPods: detectsLocalPods(this.context), checksRangesWithoutEndpoints: false };
    const rules = written.map(
      ({ key, ports, endpoints }): ServiceRules => ({
        service: key,
        frontends: ports.flatMap((port) =>
          frontendsOf(port, select(port, endpoints.get(portKey(port)) ?? []), options),
        ),
      }),
    );
    // One entry for each frontend, and one for each of its backends.
    const entries = rules
      .flatMap(({ frontends }) => frontends)
      .reduce((sum, { backends }) => sum + 1 + backends.length, 0);
    const isApplied = yield* write(entries);
    if (!isApplied) error('Failed to update maps', INJECTED_FAILURE);
    return { isApplied, write: { entries }, rules: isApplied ? rules : [] };
  }
}
