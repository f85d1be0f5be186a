import { formatDuration } from '../../base/format.ts';
import type { TraceEvent } from '../../sim/trace/reader.ts';
import { clientText } from './clientZh.ts';
import {
  type ControlPlaneEvent,
  componentName,
  kindName,
  objectName,
  syncedName,
  writtenName,
} from './controlPlane.ts';
import { logText } from './logs.ts';
import { LOGS } from './logZh.ts';

const STORED: Readonly<Record<string, string>> = { ADDED: '已创建', MODIFIED: '已修改', DELETED: '已删除' };

/** One event of the control plane or of a proxy as one phrase. */
export function controlPlaneText(event: ControlPlaneEvent): string {
  const name = componentName(event);
  const { object } = event.subject;
  switch (event.kind) {
    case 'stored': {
      const { type, resource, resourceVersion } = event.payload;
      const what = event.subject.pod === '' ? objectName(object) : `${kindName(resource)} ${event.subject.pod}`;
      return `API server：${what} ${STORED[type] ?? type}，resourceVersion ${resourceVersion}`;
    }
    case 'apiWrite':
      return writeText(event);
    case 'watchList':
      return `${name} 取得 ${event.payload.resource} 列表：${event.payload.count} 个`;
    case 'watchEvent':
      return `${name} 得知 ${kindName(event.payload.resource)} ${event.payload.name}：${event.payload.type}`;
    case 'queueAddAfter': {
      const { delay } = event.payload;
      return `${name}：${object} ${delay > 0 ? `将在 ${formatDuration(delay)} 后入队` : '立即入队'}`;
    }
    case 'queueAdd':
      return `${name}：${object} 入队`;
    case 'queueGet':
      return `${name} 取出 ${object}，排队 ${formatDuration(event.payload.waited)}`;
    case 'queueDone':
      return `${name} 处理完 ${object}，用时 ${formatDuration(event.payload.processed)}`;
    case 'podSynced':
      return `${name} 查找选中该 Pod 的 Service`;
    case 'controllerSync': {
      const { isBare, error } = event.payload;
      const outcome = error !== '' ? `，错误：${error}` : isBare ? '：无需处理' : '';
      return `${name} 同步 ${syncedName(event)}${outcome}`;
    }
    case 'endpointsCompared': {
      const { isEqual, ready, notReady } = event.payload;
      return `${name}：${ready} 个就绪，${notReady} 个未就绪；${isEqual ? '与已存内容相同，不写入' : '与已存内容不同，写入'}`;
    }
    case 'queueRetry':
      return `${name} 将重试 ${object}：${event.payload.error}`;
    case 'queueDropped':
      return `${name} 放弃 ${object}：${event.payload.error}`;
    case 'mirrorCleanup':
      return `${name} 删除为 ${object} 创建的 slice`;
    case 'controllerLog': {
      const about = [name, event.subject.object || event.subject.node].filter(Boolean).join('，');
      return `${about}：${logText(LOGS, event.payload.message, event.payload.values)}`;
    }
    case 'controllerEvent': {
      const { reason, message, about, count } = event.payload;
      return `事件 ${reason}（${about}${count > 1 ? `，×${count}` : ''}）：${message}`;
    }
    case 'clientStart':
    case 'clientAttempt':
    case 'connectionOpened':
    case 'connectionClosed':
    case 'dnsLookup':
    case 'targetHealth':
      return clientText(event);
    default:
      return proxyText(event);
  }
}

function writeText(event: TraceEvent<'apiWrite'>): string {
  const { actor, verb, code, noop, error } = event.payload;
  const outcome =
    error !== '' ? `，${code}：${error}` : noop ? '，没有任何变化' : Number.isNaN(event.end) ? '，尚无应答' : '';
  return `${actor}：${verb.toUpperCase()} ${writtenName(event)}${outcome}`;
}

type ProxyEvent = Extract<
  ControlPlaneEvent,
  {
    readonly kind:
      | `proxy${string}`
      | 'rulesChanged'
      | 'deleteStaleChains'
      | 'conntrackList'
      | 'conntrackDelete'
      | 'healthCheck';
  }
>;

function proxyText(event: ProxyEvent): string {
  const name = event.subject.object;
  switch (event.kind) {
    case 'proxyChange': {
      const { kind, op, name: object } = event.payload;
      return `${name} 记下变化：${kind} ${object}${op === '' ? '' : `，${op}`}`;
    }
    case 'proxySync': {
      const { isFull, family, result } = event.payload;
      const outcome = result === 'failed' ? '，失败：沿用旧规则' : '';
      return `${name} 写入${isFull ? '全部规则' : '有变化的规则'}${family === '' ? '' : `（${family}）`}${outcome}`;
    }
    case 'rulesChanged':
      return `${name}：Service ${event.payload.service} 的新规则生效`;
    case 'proxySyncFailed':
      return `${name} 最迟 ${formatDuration(event.payload.retry)} 后重试`;
    case 'proxyError':
      return `${name} 日志：${event.payload.message}${event.payload.error === '' ? '' : `：${event.payload.error}`}`;
    case 'proxyNotInitialised':
      return `${name} 不写规则：尚未得知全部 Service 与 slice`;
    case 'proxyTopology':
      return `${name} 发现所在节点的拓扑标签有变：${event.payload.labels}`;
    case 'deleteStaleChains':
      return `${name} 删除 ${event.payload.chains} 条不再使用的链`;
    case 'conntrackList':
      return `${name} 检查 ${event.payload.entries} 条 UDP 连接`;
    case 'conntrackDelete': {
      const { protocol, dest, backend } = event.payload;
      return `${name} 删除到 ${dest}、由 ${backend} 应答的 ${protocol} 连接记录`;
    }
    case 'healthCheck': {
      const { service, port, localEndpoints, httpStatus } = event.payload;
      return `${name} 在健康检查端口 ${port} 对 ${service} 应答 ${httpStatus}：本地端点 ${localEndpoints} 个`;
    }
  }
}
