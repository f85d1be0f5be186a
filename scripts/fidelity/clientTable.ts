/** How true the simulator is to each rule about other consumers of endpoints, and about what a client sees. */
import { CONTROL_PLANE_RULES } from '../../src/explain/controlPlaneRules.ts';
import { exact, type FidelityRow, follows, near } from './row.ts';

/** The sentence that the page shows. */
const shown = (number: keyof typeof CONTROL_PLANE_RULES): string => CONTROL_PLANE_RULES[number].text.en;

export const CLIENT_FIDELITY: Readonly<Record<string, FidelityRow>> = {
  'T-001': follows(
    'Readiness gates decide with the containers whether a Pod is Ready.',
    'K-170 and the actions patchCondition',
  ),
  'T-002': near('Ingress and Gateway controllers watch slices and dial Pods.', 'one lag; they check no Pod themselves'),
  'T-003': near(
    shown('T-003'),
    'numbers of the balancer are inputs; without a health check port a node is well while it has power',
  ),
  'T-004': near(shown('T-004'), 'CoreDNS itself is always there; SRV records are not asked for'),
  'T-005': near(shown('T-005'), 'no prefetching, no stale answers'),
  'T-006': follows('ExternalName is a CNAME: no controller, no rules.', 'C-200; a client cannot ask it'),
  'T-010': near(
    shown('T-010'),
    'an address without a Pod is silent; some networks say “no route” after a second or more',
  ),
  'T-011': near('UDP: a rejection is told, everything else is silence.', 'a request is one packet there and one back'),
  'T-012': exact(shown('T-012')),
  'T-013': exact(shown('T-013')),
  'T-014': follows(shown('T-014'), 'T-010 and the rules of the proxies'),
  'T-015': follows('Readiness while a Pod ends changes only serving.', 'C-220 and P-051'),
};
