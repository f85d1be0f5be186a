import { formatDuration, formatInstant } from '../../base/format.ts';
import type { BackendAnswer, Hops } from '../backendAnswer.ts';

const hopsText = ({ toReady, toSlice, toRules }: Hops): string =>
  `，距应用可应答 ${formatDuration(toReady + toSlice + toRules)}：到 API 中 Ready ${formatDuration(toReady)}，到 slice ${formatDuration(toSlice)}，到规则 ${formatDuration(toRules)}`;

/** Whether a Pod is a backend, as one sentence. */
export function backendText(answer: BackendAnswer): string {
  const { service } = answer;
  switch (answer.kind) {
    case 'waitingForSlice':
      return `${service} 的 slice 尚未将其列为就绪${answer.until === null ? '' : `，将在 ${formatInstant(answer.until)} 列出`}。`;
    case 'waitingForRules':
      return `${service} 的 slice 已列出它，但 ${answer.nodes} 个节点中有 ${answer.missing} 个还没有它的规则${answer.until === null ? '' : `，将在 ${formatInstant(answer.until)} 写入`}。`;
    case 'inRules':
      return `自 ${formatInstant(answer.since)} 起，它是 ${service} 的后端${answer.nodes === 1 ? '' : `（${answer.nodes} 个节点）`}${answer.hops === null ? '' : hopsText(answer.hops)}。`;
    case 'inSlices':
      return `自 ${formatInstant(answer.since)} 起，${service} 的 slice 将其列为就绪，且不写规则：客户端通过 Service 的名称找到它。`;
    case 'leaving':
      return `${answer.nodes} 个节点上 ${service} 的规则仍会把连接发给它${answer.until === null ? '' : `，直到 ${formatInstant(answer.until)}`}。`;
    case 'fallback':
      return `${service} 已没有就绪端点：规则退而使用这个正在删除但仍可服务的端点；Endpoints 已将其移除。`;
    case 'dropped':
      return `${service} 的规则中已没有它；slice 仍将其列为可服务且终止中，Endpoints 则没有。`;
  }
}
