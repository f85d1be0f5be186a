import { formatInstant } from '../../base/format.ts';
import type { TraceEvent } from '../../sim/trace/reader.ts';
import type { Because } from '../answer.ts';
import type { PendingInit } from '../initContainers.ts';
import type { Trouble } from '../nodeReach.ts';
import { backendText } from './backendZh.ts';
import type { Words } from './words.ts';

const PROBE: Readonly<Record<string, string>> = { startup: '启动探针', readiness: '就绪探针', liveness: '存活探针' };
export const probeName = (probe: string): string => PROBE[probe] ?? probe;
const RESULT: Readonly<Record<string, string>> = { success: '成功', failure: '失败', error: '出错', unknown: '未知' };
export const resultName = (result: string): string => RESULT[result.toLowerCase()] ?? result;

const STATE: Readonly<Record<string, string>> = {
  renewed: '已续约',
  expired: '已过期',
  available: '可用',
  paused: '已暂停',
  cordoned: '禁止调度',
  waiting: '等待',
  starting: '启动中',
  serving: '提供服务',
  failing: '异常',
  stopping: '停止中',
  exited: '已退出',
  none: '无',
  ready: '就绪',
  'not ready': '未就绪',
  'serving, terminating': '终止中，仍可服务',
  terminating: '终止中',
  absent: '未列出',
  'published, not serving': '已公布，未就绪',
  'no rules': '无规则',
  'no backend': '没有后端',
  'kubelet down': 'kubelet 停止',
  'change waits': '变化等待写入',
  queued: '排队',
  batch: '等待批次',
  'back-off': '退避',
  sync: '同步',
  full: '全量',
  partial: '增量',
  truncated: '已截断',
};
/** `3 ready · truncated`: each part by its last words. */
export const stateName = (word: string): string =>
  STATE[word] ??
  word
    .split(' · ')
    .map((part) => part.replace(/[a-z][a-z -]*$/, (last) => STATE[last] ?? last))
    .join(' · ');

export const zh: Words = {
  verdict: ({ verdict, because, backend }, pod) => {
    if (because.kind === 'removed') return `${pod} 已不存在`;
    if (verdict === 'absent') return `${pod} 尚未创建`;
    // A Pod that is Ready and leaves is being deleted.
    const isGoing = because.kind === 'deleting';
    const ready = isGoing
      ? '正在删除'
      : verdict !== 'ready'
        ? '未 Ready'
        : STAYS.includes(backend?.kind ?? '')
          ? '正在删除'
          : '已 Ready';
    const pool = POOL[backend?.kind ?? ''];
    return pool === undefined ? `API 中 ${pod} ${ready}` : `${pod} ${ready}，${pool}`;
  },
  because: ({ because }) => becauseText(because),
  backend: ({ backend }) => (backend === null ? '' : backendText(backend)),
  action: (payload) => `操作：${payload.action}${actionDetail(payload)}`,
  state: stateName,
};

const POOL: Readonly<Record<string, string>> = {
  waitingForSlice: '但还不在后端池中',
  notWritten: '但不在后端池中',
  leftOut: '但不在后端池中',
  waitingForRules: '但还没有进入所有节点的后端池',
  inRules: '在后端池中',
  published: '但在后端池中',
  leaving: '但仍在后端池中',
  fallback: '但仍在后端池中',
};
const STAYS: readonly string[] = ['leaving', 'fallback'];

const nextAttemptText = (at: number | null): string =>
  at === null ? '本次运行内不再探测' : `下一次探测在 ${formatInstant(at)}`;

const appText = (container: string, state: string): string => `${container} 中的应用${stateName(state)}`;
const NOT_SERVING: Readonly<Record<string, string>> = {
  starting: '，探针尚未成功',
  failing: '，探针不再成功',
};

function becauseText(because: Because): string {
  switch (because.kind) {
    case 'notCreated':
      return `将在 ${formatInstant(because.at)} 创建。`;
    case 'removed':
      return `它在 ${formatInstant(because.at)} 从 API 中删除。`;
    case 'settled':
      return `应用正在提供服务，kubelet 的状态 v${because.version} 与此一致。`;
    case 'stillReady':
      return `但 ${appText(because.container, because.app)}，API 尚未得知。`;
    case 'notAsked':
      return `但 ${appText(because.container, because.app)}，且没有就绪探针探测它。`;
    case 'noListener':
      return `但它没有容器监听端口 ${because.port}：发往它的请求被拒绝。`;
    case 'appWaiting':
      return `容器 ${because.container} 没有运行${because.reason === '' ? '' : `（${because.reason}）`}${because.notBefore === null ? '' : `，退避至 ${formatInstant(because.notBefore)}`}。`;
    case 'deleting': {
      const app = because.app === '' ? '' : `，${appText(because.container, because.app)}`;
      return `它自 ${formatInstant(because.since)} 起正在删除${app}。`;
    }
    case 'unscheduled':
      return because.reason === '' ? '尚未为它选定节点。' : `没有节点接收它：${because.reason}`;
    case 'initContainer':
      return initText(because);
    case 'appNotServing':
      return `${appText(because.container, because.app)}${NOT_SERVING[because.app] ?? ''}。`;
    case 'startupFailed':
      return `${because.container} 的启动探针已判定失败：kubelet 将终止该容器。`;
    case 'belowThreshold':
      return `${because.container} 的${probeName(because.probe)}连续成功 ${because.run}/${because.threshold}；${nextAttemptText(because.nextAttempt)}。`;
    case 'probing':
      return `${because.container} 的${probeName(because.probe)}正在执行。`;
    case 'waitingForProbe':
      return `应用已提供服务，但 ${because.container} 的${probeName(because.probe)}还没有看到：${nextAttemptText(because.nextAttempt)}。`;
    case 'gate':
      return `容器已就绪，但 readiness gate ${because.condition} 还没有被设为 True。`;
    case 'waitingForSync':
      return because.probed ? '探针已通过，kubelet 尚未写入状态。' : '容器已运行，kubelet 尚未写入状态。';
    case 'nodeSilent':
      return `容器均已就绪。${because.node} 没有心跳：节点控制器在 ${formatInstant(because.since)} 判定其失联，并把它的 Pod 标记为未 Ready。没有探针失败。`;
    case 'nodeTrouble':
      return troubleText(because);
    case 'waitingForPatch':
      return because.committedAt === null
        ? `kubelet 已知晓（状态 v${because.version}），PATCH 尚未发出。`
        : `kubelet 已知晓（状态 v${because.version}），PATCH 将在 ${formatInstant(because.committedAt)} 生效。`;
  }
}

function initText({ container, state, exitCode, notBefore }: PendingInit): string {
  const name = `init 容器 ${container} `;
  if (state === 'running') return `${name}正在运行：其余容器在它结束之后启动。`;
  const until = notBefore === null ? '' : `，退避至 ${formatInstant(notBefore)}`;
  return state === 'failed' ? `${name}失败，退出码 ${exitCode}${until}。` : `${name}尚未运行${until}。`;
}

const TROUBLE: Readonly<Record<Trouble, (node: string) => string>> = {
  off: (node) => `${node} 断电`,
  cut: (node) => `${node} 与外界断开`,
  apiCut: (node) => `${node} 连不上 API server`,
  kubeletDown: (node) => `${node} 的 kubelet 停止运行`,
};
const SERVES_ON: readonly Trouble[] = ['apiCut', 'kubeletDown'];

function troubleText({ node, trouble, since, givenUp, isReady }: Extract<Because, { kind: 'nodeTrouble' }>): string {
  const what = `自 ${formatInstant(since)} 起，${TROUBLE[trouble](node)}`;
  if (givenUp !== null)
    return `${what}：节点控制器在 ${formatInstant(givenUp)} 判定其失联，并把它的 Pod 标记为未 Ready。没有探针失败。`;
  if (!isReady) return `${what}。`;
  return `但${what}${SERVES_ON.includes(trouble) ? '，它的 Pod 继续服务，但无人监管' : ''}。沉默的节点要到宽限期之后才会被判定失联。`;
}

/** The grace of a deletion; else as it is. */
const actionDetail = ({ action, detail }: TraceEvent<'action'>['payload']): string => {
  if (detail === '') return '';
  return action === 'deletePod' || action === 'evictPod' ? `，宽限 ${detail}\u00a0s` : `（${detail}）`;
};
