import { formatDuration, formatInstant } from '../../base/format.ts';
import type { LogTexts } from './logs.ts';

const failed: LogTexts[string] = ({ error }) => `同步失败：${error}`;
const isReady: LogTexts[string] = ({ pod }) => `等待 ${pod} 就绪`;
const isAvailable: LogTexts[string] = ({ pod }) => `等待 ${pod} 可用`;
const isGone: LogTexts[string] = ({ pod }) => `等待 ${pod} 消失`;

export const LOGS: LogTexts = {
  tooFew: ({ need, creating }) => `需要 ${need} 个 Pod，创建 ${creating} 个`,
  tooMany: ({ need, deleting }) => `需要 ${need} 个 Pod，删除 ${deleting} 个`,
  slowStartFailure: ({ podsSkipped }) => `一次创建失败，本次同步不再尝试其余 ${podsSkipped} 个`,
  scaledDownOld: ({ count }) => `从旧 ReplicaSet 减去 ${count} 个`,
  cleanedUpUnhealthy: ({ count }) => `从旧 ReplicaSet 减去 ${count} 个未就绪的`,
  progressCheckIn: ({ queueAfter }) => `${queueAfter} 秒后再查看进度`,
  retry: failed,
  syncError: failed,
  staleCache: ({ resource, read, written }) =>
    `等待缓存：其中 ${resource} 的 resourceVersion 是 ${read}，而自己已写到 ${written}`,
  waitReady: isReady,
  waitReadyScaleDown: isReady,
  waitAvailable: isAvailable,
  waitAvailableScaleDown: isAvailable,
  waitTerminate: isGone,
  waitTerminateScaleDown: isGone,
  scaleDown: ({ pod }) => `删除多余的 ${pod}`,
  update: ({ pod }) => `为更新删除 ${pod}`,
  updateUnavailable: ({ pod }) => `为更新删除 ${pod}：它本来就不可用`,
  unavailable: ({ pod, unavailableReplicas }) => `${unavailableReplicas} 个不可用，首个是 ${pod}`,
  overMaxUnavailable: ({ unavailablePods, maxUnavailable }) =>
    `不删除：${unavailablePods} 个不可用，maxUnavailable 为 ${maxUnavailable}`,
  limits: ({ maxSurge, maxUnavailable }) => `maxSurge ${maxSurge}，maxUnavailable ${maxUnavailable}`,
  limitsBothZero: () => 'maxSurge 与 maxUnavailable 都算得 0',
  replaceUnavailable: ({ pod, node }) => `替换 ${node} 上的 ${pod}：它本来就不可用`,
  failedPodBackoff: ({ pod, currentDelayUs }) => `${pod} 已失败；${formatDuration(Number(currentDelayUs))}后再建`,
  killFailedPod: ({ pod, node }) => `删除 ${node} 上已失败的 ${pod}`,
  notUpdated: ({ elapsedUs }) => `已有 ${formatDuration(Number(elapsedUs))}没有消息：Ready 变为 Unknown`,
  neverUpdated: () => '从未报告过状态',
  markPodsNotReady: () => '其 Pod 被标为未就绪',
  taintQueue: () => '排队等待 NoExecute 污点',
  taintsRemoved: () => 'NoExecute 污点被移除',
  zoneState: ({ zone, newState }) => `${zone === '' ? '无区域节点' : `区域 ${zone}`}：${newState}`,
  masterDisruptionEnter: () => '不再有节点报告：不再添加污点，不再驱逐',
  masterDisruptionExit: () => '又有节点报告：恢复污点与驱逐',
  nodeDeleted: () => '节点已删除',
  evictionSet: ({ firedTimeUs }) => `将在 ${formatInstant(Number(firedTimeUs))} 被删除`,
  evictionFires: () => '被删除：对污点的容忍时间已到',
  evictionCancelled: () => '不再删除：污点已移除',
  evictionsCancelled: () => '其 Pod 可以留下：污点已移除',
  orphan: ({ pod, node }) => `删除 ${pod}：节点 ${node} 不存在`,
  outOfServicePod: () => '删除：其节点已停用',
  unscheduledTerminating: () => '删除：正在终止且从未有节点',
};
