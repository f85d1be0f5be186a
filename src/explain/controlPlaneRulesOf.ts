/** Which rules made an event of the control plane or of a proxy what it is. */
import type { RuleNumber } from './rules.ts';
import type { ControlPlaneEvent } from './words/controlPlane.ts';

/** The sync of each controller. */
const SYNC: Readonly<Record<string, RuleNumber>> = {
  endpointsController: 'C-120',
  endpointSliceController: 'C-210',
  mirroringController: 'C-260',
};
const syncOf = ({ subject }: ControlPlaneEvent): RuleNumber => SYNC[subject.component] ?? 'C-120';

/** Numbers of the rules that made the event what it is, the most telling first. */
export function controlPlaneRulesOf(event: ControlPlaneEvent): readonly RuleNumber[] {
  switch (event.kind) {
    case 'stored':
      return event.payload.resource === 'endpointslices' ? ['C-001', 'C-202'] : ['C-001'];
    case 'apiWrite':
      return writeRules(event);
    case 'watchList':
    case 'watchEvent':
      return ['C-004'];
    case 'queueAddAfter':
      return ['C-031', 'C-113'];
    case 'queueAdd':
    case 'queueGet':
    case 'queueDone':
      return ['C-030'];
    case 'podSynced':
      return ['C-112', 'C-110'];
    case 'controllerSync':
      return [syncOf(event), event.subject.component === 'endpointSliceController' ? 'C-221' : 'C-130'];
    case 'endpointsCompared':
      return ['C-120'];
    case 'queueRetry':
    case 'queueDropped':
      return event.subject.component === 'endpointSliceController' ? ['C-212', 'C-032'] : ['C-032'];
    case 'mirrorCleanup':
      return ['C-260'];
    case 'controllerLog':
    case 'controllerEvent':
      return [syncOf(event)];
    case 'proxyChange':
      return [event.payload.kind.toLowerCase().startsWith('service') ? 'P-004' : 'P-005'];
    case 'proxySync':
      return ['P-021', 'P-022', 'P-051', event.payload.isFull ? 'P-023' : 'P-030'];
    case 'rulesChanged':
      return ['P-051', 'P-022'];
    case 'proxySyncFailed':
    case 'proxyError':
      return ['P-024'];
    case 'proxyNotInitialised':
      return ['P-003'];
    case 'proxyTopology':
      return ['P-007'];
    case 'deleteStaleChains':
      return ['P-040'];
    case 'conntrackList':
    case 'conntrackDelete':
      return ['P-062'];
    case 'healthCheck':
      return ['P-060'];
    case 'clientStart':
      return ['T-010'];
    case 'clientAttempt':
      return event.payload.connection > 0 ? ['T-012', 'T-013', 'P-056'] : ['T-010', 'T-014'];
    case 'connectionOpened':
    case 'connectionClosed':
      return ['T-012', 'T-013'];
    case 'dnsLookup':
      return ['T-004', 'T-005'];
    case 'targetHealth':
      return ['T-003'];
  }
}

function writeRules({ payload }: Extract<ControlPlaneEvent, { readonly kind: 'apiWrite' }>): readonly RuleNumber[] {
  if (payload.noop) return ['C-002'];
  if (payload.code === 409) return ['C-003'];
  if (payload.resource === 'endpointslices') return ['C-202', 'C-201', 'C-221'];
  return payload.resource === 'endpoints' ? ['C-120', 'C-130'] : ['C-001'];
}
