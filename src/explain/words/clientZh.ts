import { formatDuration } from '../../base/format.ts';
import type { TraceEvent } from '../../sim/trace/reader.ts';
import type { ClientEvent } from './controlPlane.ts';

const OUTCOME: Readonly<Record<string, string>> = {
  served: '得到应答',
  errorAnswer: '得到错误应答',
  wrongPod: '得到应答，但应答的 Pod 并未被该 Service 选中',
  refused: '被 Pod 拒绝',
  rejected: '被规则拒绝：没有后端',
  timeout: '没有应答',
  reset: '被重置',
  noAddress: '无处可去：没有地址',
};

const CLOSED: Readonly<Record<string, string>> = {
  idleTimeout: '客户端不再使用',
  maxRequests: '请求数已达上限',
  byApp: '应用结束了连接',
  reset: '对端已不存在',
  timeout: '没有应答',
};

const ANSWERED_BY: Readonly<Record<string, string>> = {
  clientCache: '来自客户端缓存',
  nodeLocal: '来自节点缓存',
  cache: '来自 CoreDNS 缓存',
  coredns: '来自 CoreDNS',
};

/** 客户端的一个事件，一句话。 */
export function clientText(event: ClientEvent): string {
  const name = event.subject.object || event.subject.pod;
  switch (event.kind) {
    case 'clientStart': {
      const { service, target, every } = event.payload;
      return `客户端 ${name} 每 ${formatDuration(every)} 请求一次${service === '' ? ` ${target}` : ` Service ${service}`}`;
    }
    case 'clientAttempt':
      return attemptText(event);
    case 'connectionOpened':
      return `${name} 保持到 ${event.payload.pod} 的连接 ${event.payload.connection}`;
    case 'connectionClosed':
      return `${name} 的连接 ${event.payload.connection} 已关闭：${CLOSED[event.payload.reason] ?? ''}`;
    case 'dnsLookup': {
      const { name: asked, from, answer, ttl } = event.payload;
      return `${name} 查询 ${asked}：${answer}，${ANSWERED_BY[from] ?? from}，有效 ${ttl} s`;
    }
    case 'targetHealth':
      return `${name} 的负载均衡器认为 ${event.payload.node} ${event.payload.state === 'healthy' ? '健康' : '不健康'}`;
  }
}

function attemptText({ payload, subject }: TraceEvent<'clientAttempt'>): string {
  const { n, pod, backend, outcome, code, try: turn, connection } = payload;
  const to = backend === '' ? '' : `（到 ${pod === '' ? backend : pod}）`;
  const again = turn > 0 ? `（第 ${turn} 次重试）` : '';
  const over = connection > 0 ? `（连接 ${connection}）` : '';
  return `${subject.object} 的第 ${n} 个请求${again}${to}${over}${OUTCOME[outcome] ?? outcome}${code > 0 ? `（${code}）` : ''}`;
}
