import { formatDuration, formatInstant } from '../../base/format.ts';
import type { TraceEvent } from '../../sim/trace/reader.ts';
import type { Because } from '../answer.ts';
import { backendText } from './backendZh.ts';
import { controlPlaneText } from './controlPlaneZh.ts';
import type { Words } from './words.ts';

const PROBE: Readonly<Record<string, string>> = { startup: '启动探针', readiness: '就绪探针', liveness: '存活探针' };
const probeName = (probe: string): string => PROBE[probe] ?? probe;
const RESULT: Readonly<Record<string, string>> = { success: '成功', failure: '失败', error: '出错', unknown: '未知' };
const resultName = (result: string): string => RESULT[result.toLowerCase()] ?? result;

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
const stateName = (word: string): string =>
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
    const ready = verdict !== 'ready' ? '未 Ready' : STAYS.includes(backend?.kind ?? '') ? '正在删除' : '已 Ready';
    const pool = POOL[backend?.kind ?? ''];
    return pool === undefined ? `API 中 ${pod} ${ready}` : `${pod} ${ready}，${pool}`;
  },
  because: ({ because }) => becauseText(because),
  backend: ({ backend }) => (backend === null ? '' : backendText(backend)),
  event: eventText,
  state: stateName,
};

const POOL: Readonly<Record<string, string>> = {
  waitingForSlice: '但还不在后端池中',
  waitingForRules: '但还没有进入所有节点的后端池',
  inRules: '在后端池中',
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
    case 'appWaiting':
      return `容器 ${because.container} 没有运行${because.reason === '' ? '' : `（${because.reason}）`}${because.notBefore === null ? '' : `，退避至 ${formatInstant(because.notBefore)}`}。`;
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
    case 'waitingForPatch':
      return because.committedAt === null
        ? `kubelet 已知晓（状态 v${because.version}），PATCH 尚未发出。`
        : `kubelet 已知晓（状态 v${because.version}），PATCH 将在 ${formatInstant(because.committedAt)} 生效。`;
  }
}

const CHANNEL: Readonly<Record<string, string>> = {
  config: 'Pod 配置变化',
  pleg: '容器运行时变化（PLEG）',
  sync: '1 s 节拍，有到期的 Pod',
  housekeeping: 'housekeeping 节拍',
};

const PRE_STOP: Readonly<Record<string, string>> = {
  completed: '已完成',
  gracePeriodExceeded: '超出宽限期，任其继续',
};

function probeRunText({ payload, subject, at, end }: TraceEvent<'probeRun'>): string {
  const name = `${subject.container} 的${probeName(subject.probe)}`;
  switch (payload.outcome) {
    case 'attempt':
      return `${name}：${resultName(payload.result)}，用时 ${formatDuration(end - at)}`;
    case 'onHold':
      return `${name}：暂停，直到出现新容器`;
    case 'noStatus':
      return `${name}：未探测，Pod 还没有状态`;
    case 'noContainer':
      return `${name}：未探测，容器还没有 id`;
    case 'notRunning':
      return `${name}：未探测，容器没有运行`;
    case 'podTerminated':
      return `${name}：Pod 已结束，worker 退出`;
    case 'deletionRequested':
      return `${name}：Pod 正在删除，worker 退出`;
    default:
      return payload.node.startsWith('waiting.delayed')
        ? `${name}：未探测，initialDelaySeconds 未到`
        : `${name}：未探测，受启动探针限制`;
  }
}

/** The grace of a deletion; else as it is. */
const actionDetail = ({ action, detail }: TraceEvent<'action'>['payload']): string => {
  if (detail === '') return '';
  return action === 'deletePod' || action === 'evictPod' ? `，宽限 ${detail}\u00a0s` : `（${detail}）`;
};

const SERVE: Readonly<Record<string, string>> = { refuse: '被拒绝', hang: '被接受但从不应答', answer: '得到应答' };

function eventText(event: TraceEvent): string {
  const { container } = event.subject;
  const probe = probeName(event.subject.probe);
  switch (event.kind) {
    case 'action':
      return `操作：${event.payload.action}${actionDetail(event.payload)}`;
    case 'appState': {
      const { state, detail } = event.payload;
      return `${container} 中的应用：${stateName(state)}${detail === '' ? '' : `（${detail}）`}`;
    }
    case 'appServe': {
      const { state, code } = event.payload;
      return `${container} 中的应用：新连接${SERVE[state] ?? state}${code > 0 ? `（${code}）` : ''}`;
    }
    case 'processStart':
      return 'kubelet 启动';
    case 'processStop':
      return 'kubelet 进程结束';
    case 'housekeeping':
      return `housekeeping：${event.payload.work}`;
    case 'syncLoop': {
      const { channel, op, pods } = event.payload;
      const what = CHANNEL[channel] ?? `${probeName(channel)}结果`;
      return `syncLoop 收到${/^\w/.test(what) ? ' ' : ''}${what}${op === '' ? '' : `：${op}`}${pods === '' ? '' : ` ${pods}`}`;
    }
    case 'podWorkerWake':
      return `Pod worker 开始下一轮（${event.payload.work}）`;
    case 'syncPod': {
      const { work, pass, error } = event.payload;
      return `Pod worker：第 ${pass} 轮（${work}）${error === '' ? '' : `，错误：${error}`}`;
    }
    case 'syncPodStep':
      return `SyncPod 步骤 ${event.payload.step}${event.payload.error === '' ? '' : `，错误：${event.payload.error}`}`;
    case 'pullImage':
      return `运行时：拉取 ${event.payload.image}${event.payload.error === '' ? '' : `，错误：${event.payload.error}`}`;
    case 'killContainer':
      return `终止容器 ${container}，宽限 ${event.payload.gracePeriodSeconds}\u00a0s`;
    case 'preStop':
      return `${container} 的 preStop 钩子${PRE_STOP[event.payload.result] ?? '正在执行'}`;
    case 'preStopFailed':
      return `${container} 的 preStop 钩子失败`;
    case 'hook':
      return `运行时：${container} 中的 ${event.payload.hook} 命令${event.payload.result === '' ? '' : `：${event.payload.result}`}`;
    case 'backOff':
      return `暂不重启：${event.payload.message}`;
    case 'requeue':
      return `最迟 ${formatDuration(event.payload.delay)} 后再来一轮（${event.payload.reason}）`;
    case 'workerAdded':
      return `创建 ${container} 的${probe} worker`;
    case 'workersStopped':
      return `通知探针 worker 停止（${event.payload.op}）`;
    case 'workerExited':
      return `${container} 的${probe} worker 退出`;
    case 'updatePodStatus':
      return 'prober 填入 started 与 ready';
    case 'poke':
      return `手动触发 ${container} 的${probe} worker`;
    case 'pokeDropped':
      return `${container} 的${probe} worker 已有手动触发，本次丢弃`;
    case 'startSleep':
      return `${container} 的${probe} worker 首次执行前休眠 ${formatDuration(event.payload.length)}`;
    case 'probeRun':
      return probeRunText(event);
    case 'resultSet':
      return `${container} 的${probe}结果：${resultName(event.payload.result)}${event.payload.was === '' ? '' : `，此前 ${resultName(event.payload.was)}`}`;
    case 'resultRemove':
      return `删除 ${container} 的${probe}结果`;
    case 'runPodSandbox':
      return `运行时：创建 sandbox，地址 ${event.payload.ip}`;
    case 'createContainer':
      return `运行时：创建容器 ${container}，第 ${event.payload.attempt} 次`;
    case 'startContainer':
      return `运行时：启动容器 ${container}，第 ${event.payload.attempt} 次`;
    case 'stopContainer':
      return `运行时：在 ${event.payload.timeoutSeconds}\u00a0s 内停止容器 ${container}`;
    case 'sigterm':
      return `${container} 收到 SIGTERM`;
    case 'containerExit':
      return `${container} 退出，退出码 ${event.payload.exitCode}`;
    case 'stopPodSandbox':
      return '运行时：停止 sandbox';
    case 'removeContainer':
      return `运行时：删除容器 ${container}`;
    case 'removePodSandbox':
      return '运行时：删除 sandbox';
    case 'statusSet':
      return `状态管理器存入 v${event.payload.version}（${event.payload.op}）`;
    case 'apiRequest': {
      const { verb, subresource, version } = event.payload;
      return `${verb.toUpperCase()} ${subresource === '' ? 'pod' : subresource}${version > 0 ? ` v${version}` : ''}`;
    }
    case 'kubeEvent':
      return `事件 ${event.payload.reason}：${event.payload.message}`;
    default:
      return controlPlaneText(event);
  }
}
