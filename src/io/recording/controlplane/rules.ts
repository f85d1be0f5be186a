import type { RecordedEvent } from '../event.ts';

/** The rules that produce each type of event; `lane/type`, most specific first. */
const RULES: Readonly<Record<string, string>> = {
  api: 'C-001 to C-006',
  'api/pod': 'C-005',
  'endpoints/object': 'C-110 to C-150',
  endpoints: 'C-100 to C-150',
  'endpointslices/object': 'C-200 to C-232',
  endpointslices: 'C-200 to C-232, C-260',
  watch: 'C-004',
  queue: 'C-030 to C-032',
  'controller/podSynced': 'C-110 to C-113',
  'controller/update': 'C-140',
  'controller/equal': 'C-140',
  'controller/cleanup': 'C-260',
  controller: 'C-032, C-100, C-210',
  k8sEvent: 'C-032',
  'proxy/change': 'P-001 to P-005',
  'proxy/syncStart': 'P-020 to P-024',
  'proxy/syncFailed': 'P-024',
  'proxy/notInitialised': 'P-003',
  'proxy/backends': 'P-050 to P-054',
  'proxy/deleteStaleChains': 'P-040',
  'proxy/conntrackList': 'P-062',
  'proxy/conntrackDelete': 'P-062',
  'proxy/topologyChange': 'P-007',
  'proxy/topologyLabels': 'P-007',
  proxy: 'P-030 to P-044',
  healthcheck: 'P-060',
};

/** Which rules of the semantics produce an event of that lane and type. */
export function ruleOfEvent(event: RecordedEvent | null): string {
  if (!event) return 'no rule';
  return RULES[`${event.lane}/${event.type}`] ?? RULES[event.lane] ?? 'no rule';
}
