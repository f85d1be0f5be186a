import { formatDuration } from '../../base/format.ts';
import type { TraceEvent } from '../../sim/trace/reader.ts';
import { controlPlaneText } from './controlPlaneZh.ts';
import type { EventWords } from './words.ts';
import { probeName, resultName, stateName, zh } from './zh.ts';

export const eventZh: EventWords = { event: eventText };

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

const SERVE: Readonly<Record<string, string>> = { refuse: '被拒绝', hang: '被接受但从不应答', answer: '得到应答' };

/** One event as one phrase. */
function eventText(event: TraceEvent): string {
  const { container } = event.subject;
  const probe = probeName(event.subject.probe);
  switch (event.kind) {
    case 'action':
      return zh.action(event.payload);
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
