/** What a rule was like in older versions of Kubernetes. */
import type { EventKind } from '../sim/trace/kinds.ts';
import type { TraceEvent } from '../sim/trace/reader.ts';
import type { RuleNumber } from './rules.ts';
import { rulesOf } from './rulesOf.ts';
import type { Language } from './words/words.ts';

/** One difference between versions that a user can see. */
export interface VersionChange {
  /** Minor version that has it. `~`: known from source of that age, not from the release branch. */
  readonly since: number;
  /** Pull request, issue or enhancement. */
  readonly reference: string;
  /** What was before. */
  readonly text: Readonly<Record<Language, string>>;
}

const change = (since: number, reference: string, en: string, zh: string): VersionChange => ({
  since,
  reference,
  text: { en, zh },
});

const READINESS_STOPPED = change(
  25,
  'PR 102344, PR 110191',
  'From 1.22 to 1.24 readiness was not probed any more once the Pod began to end: Ready stayed True until its containers were gone.',
  '1.22 至 1.24 中，Pod 一开始终止就不再做就绪探测，Ready 一直为 True，直到容器消失。',
);
const TERMINAL_PHASE = change(
  27,
  'PR 115331',
  'Up to 1.26 a Pod that was deleted stayed Running until its object was gone; it never became Succeeded or Failed.',
  '1.26 及以前被删除的 Pod 一直为 Running，直到对象消失，不会变为 Succeeded 或 Failed。',
);
const CANCELLED_COMMANDS = change(
  36,
  'PR 130487, PR 140882',
  'In 1.35 exec probes were cancelled once the Pod began to end, and counted for nothing: Ready stayed True until its containers were gone.',
  '1.35 中 Pod 一开始终止，exec 探针就被取消且不计数：Ready 一直为 True，直到容器消失。',
);
const ADMISSION = change(
  31,
  '~ issue 125393',
  'Up to 1.30 admission was asked in each pass: a refused Pod stayed Pending, its containers Blocked.',
  '1.30 及以前每一轮都检查准入：被拒绝的 Pod 保持 Pending，容器为 Blocked。',
);
const KEEPS_STATE = change(
  35,
  'KEP-4781',
  'Up to 1.34 a restart of the kubelet made every container not ready until its own probe had run.',
  '1.34 及以前 kubelet 重启后，每个容器在自己的探针运行之前都不就绪。',
);
const RETRY = change(
  35,
  'PR 133066',
  'Up to 1.34 a container in back-off was tried every 10 to 15 s, whenever its back-off ended.',
  '1.34 及以前，退避中的容器每 10 至 15 秒重试一次，与退避何时结束无关。',
);
const TERMINATING = change(
  22,
  'KEP-1672',
  'Up to 1.21 a Pod left the slices as soon as it was deleted; serving and terminating did not exist.',
  '1.21 及以前 Pod 一删除就离开 slice；没有 serving 和 terminating。',
);

const CHANGES: Readonly<Partial<Record<RuleNumber, readonly VersionChange[]>>> = {
  'K-010': [ADMISSION],
  'K-015': [
    change(
      36,
      'PR 137362',
      'Up to 1.35 what a pass had started was seen by the next relist of the whole node, up to 1 s later.',
      '1.35 及以前，一轮所启动的容器要等下一次全节点 relist 才被看到，最多晚 1 秒。',
    ),
  ],
  'K-016': [
    change(
      22,
      'PR 101738',
      'Up to 1.21 a startup result asked for no pass: readiness waited for its own tick, a container without a readiness probe for the next resync.',
      '1.21 及以前启动探针的结果不触发一轮：就绪探针等自己的周期，没有就绪探针的容器等下一次 resync。',
    ),
  ],
  'K-040': [RETRY],
  'K-046': [
    change(
      27,
      '~ pkg/kubelet/pod_workers.go',
      'Up to 1.26 the wait for volumes went on when the Pod began to end.',
      '1.26 及以前 Pod 开始终止时仍继续等待卷。',
    ),
    change(
      29,
      'KEP-753',
      'Up to 1.28 there were no sidecars: an init container with restartPolicy Always was one that has to end.',
      '1.28 及以前没有 sidecar：restartPolicy 为 Always 的 init 容器也必须结束。',
    ),
    ADMISSION,
  ],
  'K-048': [
    READINESS_STOPPED,
    TERMINAL_PHASE,
    CANCELLED_COMMANDS,
    change(
      26,
      'KEP-3329',
      'Up to 1.25 a Pod that the kubelet evicts got no condition DisruptionTarget.',
      '1.25 及以前被 kubelet 驱逐的 Pod 没有 DisruptionTarget 条件。',
    ),
  ],
  'K-060': [
    change(
      29,
      'KEP-3085',
      'Up to 1.28 there was no condition PodReadyToStartContainers.',
      '1.28 及以前没有 PodReadyToStartContainers 条件。',
    ),
    change(
      36,
      '~ PR 134660',
      'Up to 1.35 PodReadyToStartContainers turned True with the second pass, not in the middle of the first.',
      '1.35 及以前 PodReadyToStartContainers 在第二轮才变为 True，而不是在第一轮中间。',
    ),
    change(
      37,
      'PR 135300',
      'Up to 1.36 a False PodReadyToStartContainers gave no reason.',
      '1.36 及以前 PodReadyToStartContainers 为 False 时没有原因。',
    ),
  ],
  'K-067': [
    change(
      35,
      'KEP-5307',
      'Up to 1.34 a container had no restart policy or rules of its own.',
      '1.34 及以前容器没有自己的重启策略或规则。',
    ),
    change(
      36,
      'KEP-5532',
      'Up to 1.35 no exit could restart all containers of the Pod.',
      '1.35 及以前没有任何退出可以重启 Pod 的全部容器。',
    ),
  ],
  'K-078': [
    RETRY,
    change(
      35,
      'KEP-5593',
      'Up to 1.34 the longest crash back-off was 5 minutes and could not be configured.',
      '1.34 及以前崩溃退避最长为 5 分钟，无法配置。',
    ),
  ],
  'K-082': [
    change(
      25,
      'KEP-2238',
      'Up to 1.24 terminationGracePeriodSeconds of a probe did not count.',
      '1.24 及以前探针上的 terminationGracePeriodSeconds 不起作用。',
    ),
    change(30, 'KEP-3960', 'Up to 1.29 preStop had no sleep action.', '1.29 及以前 preStop 没有 sleep 动作。'),
  ],
  'K-114': [READINESS_STOPPED],
  'K-123': [
    KEEPS_STATE,
    change(
      36,
      '~ issue 136910',
      'In 1.35 a sidecar that had started was probed for startup again after a restart of the kubelet.',
      '1.35 中 kubelet 重启后，已启动的 sidecar 会再次做启动探测。',
    ),
  ],
  'K-133': [
    change(
      28,
      '~ issue 117153',
      'Up to 1.27 a startup probe could run once more after its success.',
      '1.27 及以前启动探针成功后可能再运行一次。',
    ),
  ],
  'K-135': [CANCELLED_COMMANDS],
  'K-136': [
    change(
      20,
      'KEP-1972',
      'Before 1.20 timeoutSeconds of exec probes was ignored.',
      '1.20 以前 exec 探针的 timeoutSeconds 被忽略。',
    ),
  ],
  'K-173': [
    change(
      34,
      'PodObservedGenerationTracking',
      'Up to 1.33 statuses had no observedGeneration, so that a deletion alone was answered by no PATCH.',
      '1.33 及以前状态没有 observedGeneration，仅删除不会引起 PATCH。',
    ),
  ],
  'K-204': [KEEPS_STATE],
  'K-205': [
    change(
      21,
      'PR 98376',
      'Up to 1.20 readiness waited for its own tick: nothing triggered it.',
      '1.20 及以前就绪探针等自己的周期，没有任何触发。',
    ),
    change(
      32,
      '~ PR 119089',
      'Up to 1.31 a triggered run left the ticker as it was.',
      '1.31 及以前被触发的运行不会重置周期。',
    ),
  ],
  'C-120': [
    change(
      22,
      'PR 103520',
      'Up to 1.21 Endpoints were not cut to 1,000 addresses.',
      '1.21 及以前 Endpoints 不会截断到 1000 个地址。',
    ),
    change(
      32,
      '~ PR 125675, PR 127417',
      'Up to 1.31 a stale cache could leave a ready Pod among the addresses that are not ready.',
      '1.31 及以前过期的缓存可能让就绪的 Pod 留在未就绪地址中。',
    ),
    change(
      33,
      'KEP-4974',
      'Up to 1.32 Endpoints had no label that names their controller.',
      '1.32 及以前 Endpoints 没有标明其控制器的标签。',
    ),
  ],
  'C-201': [TERMINATING],
  'C-202': [TERMINATING],
  'C-210': [
    change(24, 'KEP-2433', 'Up to 1.23 there were no topology hints by default.', '1.23 及以前默认没有拓扑提示。'),
    change(
      31,
      'KEP-4444',
      'Up to 1.30 trafficDistribution did not count by default.',
      '1.30 及以前 trafficDistribution 默认不起作用。',
    ),
    change(
      34,
      'KEP-3015',
      'Up to 1.33 there were no PreferSameZone and PreferSameNode.',
      '1.33 及以前没有 PreferSameZone 和 PreferSameNode。',
    ),
  ],
  'P-021': [
    change(
      34,
      'PR 131615',
      'Up to 1.33 the least interval counted from the begin of a run, with one run to spare.',
      '1.33 及以前最小间隔从一次运行的开始算起，并可额外多运行一次。',
    ),
  ],
  'P-023': [
    change(
      37,
      'PR 138571',
      'Up to 1.36 large iptables clusters had a full sync each hour too.',
      '1.36 及以前大型 iptables 集群也每小时全量同步一次。',
    ),
  ],
  'P-030': [
    change(
      27,
      'KEP-3453',
      'Up to 1.26 each sync of the iptables mode wrote all rules.',
      '1.26 及以前 iptables 模式每次同步都写全部规则。',
    ),
    change(
      32,
      '~ pkg/proxy/nftables/proxier.go',
      'Up to 1.31 each sync of the nftables mode wrote all rules.',
      '1.31 及以前 nftables 模式每次同步都写全部规则。',
    ),
  ],
  'P-051': [
    change(
      22,
      'KEP-2086',
      'Up to 1.21 internalTrafficPolicy did not count.',
      '1.21 及以前 internalTrafficPolicy 不起作用。',
    ),
    change(
      26,
      'KEP-1669',
      'Up to 1.25 kube-proxy did not fall back to Pods that end: with no ready one left, connections were refused.',
      '1.25 及以前 kube-proxy 不会退回到正在终止的 Pod：没有就绪的 Pod 时连接被拒绝。',
    ),
  ],
  'P-062': [
    change(
      32,
      '~ issue 125467',
      'Up to 1.31 only UDP entries of endpoints whose removal kube-proxy had seen were deleted: one that it missed lasted as long as its client sent.',
      '1.31 及以前只删除 kube-proxy 看到被移除的端点的 UDP 条目：错过的条目会一直存在，只要客户端仍在发送。',
    ),
    change(
      37,
      'PR 139629',
      'From 1.32 to 1.36 UDP entries stayed when no endpoint was left.',
      '1.32 至 1.36 中没有端点时 UDP 条目会保留。',
    ),
  ],
};

/** All differences that are told, each once. */
export const VERSION_CHANGES: readonly VersionChange[] = [...new Set(Object.values(CHANGES).flat())];

/** Where a rule of an older version shows by what is missing: a tick that nothing came before. */
const MISSED: Partial<Record<EventKind, (event: TraceEvent) => readonly RuleNumber[]>> = {
  probeRun: ({ subject }) => (subject.probe === 'readiness' ? ['K-205', 'K-016'] : []),
};

/** What was otherwise in older versions about the rules of an event; `isMissing`: the version of the run is one of those. */
export function changesOf(
  event: TraceEvent,
  kubernetes: string,
): readonly (VersionChange & { readonly isMissing: boolean })[] {
  const minor = Number(kubernetes.split('.')[1]);
  const told = (number: RuleNumber): readonly VersionChange[] => CHANGES[number] ?? [];
  const missed = (MISSED[event.kind]?.(event) ?? []).flatMap(told).filter(({ since }) => minor < since);
  return [...new Set([...rulesOf(event).flatMap(told), ...missed])].map((one) => ({
    ...one,
    isMissing: minor < one.since,
  }));
}
