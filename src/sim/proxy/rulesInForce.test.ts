import { expect, it } from 'vitest';
import { proxyInput } from '../../../test/support/cluster.ts';
import { micros } from '../../base/units.ts';
import type { ClusterContext } from '../controllers/context.ts';
import { Kernel } from '../kernel/kernel.ts';
import { TraceReader } from '../trace/reader.ts';
import { NO_REF } from '../trace/ref.ts';
import { TraceWriter } from '../trace/writer.ts';
import type { Frontend, ServiceRules } from './rules.ts';
import { RulesInForce } from './rulesInForce.ts';

const frontend = (at: string, ...backends: readonly string[]): Frontend => ({
  frontend: at,
  kind: 'clusterIP',
  port: '',
  verdict: 'dnat',
  backends,
});
const rules = (service: string, ...frontends: readonly Frontend[]): ServiceRules => ({ service, frontends });

/** Puts rules in force, one list a sync; then the Services of all `rulesChanged` events, and the backends of `1:80`. */
function play(...syncs: readonly (readonly ServiceRules[])[]) {
  const kernel = new Kernel(micros(0), micros(10));
  const trace = new TraceWriter();
  const subject = trace.subjectOf({
    component: 'kubeProxy',
    node: 'n',
    pod: '',
    container: '',
    probe: '',
    object: 'p',
  });
  const cluster = { kernel, trace } as unknown as ClusterContext;
  const inForce = new RulesInForce({ cluster, input: proxyInput('p'), family: 'IPv4', familyName: '', subject });
  for (const sync of syncs) inForce.apply(sync, NO_REF);
  const reader = new TraceReader(trace.finish(micros(10), 0));
  const changed = reader.events().map((event) => (event.kind === 'rulesChanged' ? event.payload.service : event.kind));
  return { changed, backends: inForce.get('1:80')?.rules.backends ?? null, services: [...inForce.services()] };
}

it.each<[string, readonly (readonly ServiceRules[])[], ReturnType<typeof play>]>([
  ['new rules', [[rules('a', frontend('1:80', 'x'))]], { changed: ['a'], backends: ['x'], services: ['a'] }],
  [
    'the same once more is no change',
    [[rules('a', frontend('1:80', 'x'))], [rules('a', frontend('1:80', 'x'))]],
    { changed: ['a'], backends: ['x'], services: ['a'] },
  ],
  ['a Service without rules is none', [[rules('a')]], { changed: [], backends: null, services: [] }],
  [
    'one that goes takes its frontends with it',
    [[rules('a', frontend('1:80', 'x'))], [rules('a')]],
    { changed: ['a', 'a'], backends: null, services: [] },
  ],
  [
    'a frontend that a Service does not have any more goes',
    [[rules('a', frontend('1:80', 'x'), frontend('2:80', 'x'))], [rules('a', frontend('2:80', 'x'))]],
    { changed: ['a', 'a'], backends: null, services: ['a'] },
  ],
  [
    'one that moves to another Service in one sync stays, whichever is told first',
    [[rules('a', frontend('1:80', 'x'))], [rules('b', frontend('1:80', 'y')), rules('a')]],
    { changed: ['a', 'b', 'a'], backends: ['y'], services: ['b'] },
  ],
])('%s', (_, syncs, expected) => {
  expect(play(...syncs)).toEqual(expected);
});
