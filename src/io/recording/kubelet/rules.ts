import type { RecordedEvent } from '../event.ts';

/** The rules that produce each type of event; `lane/type`, most specific first. */
const RULES: Readonly<Record<string, string>> = {
  'kubelet/processStart': 'K-001',
  'kubelet/syncLoop': 'K-008',
  'kubelet/podWorkerWake': 'K-030 to K-034',
  'kubelet/syncPodStart': 'K-099',
  'kubelet/syncPodEnd': 'K-046',
  'kubelet/syncPodError': 'K-040',
  'kubelet/killContainer': 'K-082, K-083',
  'kubelet/backOff': 'K-076 to K-080',
  'probe/worker': 'K-110 to K-114',
  'probe/turn': 'K-115 to K-128',
  'probe/attempt': 'K-135, K-136',
  'probe/updatePodStatus': 'K-202 to K-205',
  'probe/pokeDropped': 'K-205',
  'results/set': 'K-160, K-123, K-132',
  'results/remove': 'K-161, K-118',
  'runtime/containerExit': 'K-072, K-082',
  'status/set': 'K-177, K-187, K-200 to K-209',
  'api/request': 'K-182 to K-189',
  'events/event': 'K-078, K-084, K-136',
  runtime: 'K-060 to K-085',
};

/** Which rules of the semantics produce an event of that lane and type. */
export function ruleOfEvent(event: RecordedEvent | null): string {
  if (!event) return 'no rule';
  return RULES[`${event.lane}/${event.type}`] ?? RULES[event.lane] ?? 'no rule';
}
