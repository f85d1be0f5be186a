import { formatDuration, formatInstant } from '../../base/format.ts';
import type { BackendAnswer, Hops } from '../backendAnswer.ts';
import type { LeftOut } from '../leftOut.ts';

const hopsText = ({ toReady, toSlice, toRules }: Hops): string =>
  `，距应用可应答 ${formatDuration(toReady + toSlice + toRules)}：到 API 中 Ready ${formatDuration(toReady)}，到 slice ${formatDuration(toSlice)}，到规则 ${formatDuration(toRules)}`;

/** Why rules are rightly without it. */
const WHY_LEFT_OUT: Readonly<Record<LeftOut, string>> = {
  noFrontend: '该 Service 已不存在，或没有该地址族的 cluster IP',
  otherProxy: '标签 service.kubernetes.io/service-proxy-name 将该 Service 交给了另一个代理',
  noPort: 'slice 列出它时不带该 Service 的任何端口，例如其容器没有声明 targetPort 所指名称的端口',
  local: 'internalTrafficPolicy Local 使流量留在它所在的节点',
  hints: 'slice 中的提示使流量留在它所在的节点或可用区',
};

const lackingText = (ports: readonly string[]): string =>
  ports.length === 0 ? '' : `端口 ${ports.join('、')} 除外：其容器没有 targetPort 所指名称的端口。`;

/** Whether a Pod is a backend, as one sentence. */
export function backendText(answer: BackendAnswer): string {
  const { service } = answer;
  switch (answer.kind) {
    case 'waitingForSlice':
      return `${service} 的 slice 尚未将其列为就绪${answer.until === null ? '' : `，将在 ${formatInstant(answer.until)} 列出`}。`;
    case 'notWritten':
      return `${service} 没有选择器：其后端由人写入 Endpoints 或 slice，而它不在其中。`;
    case 'leftOut':
      return `${answer.nodes} 个节点上 ${service} 的规则没有它：${WHY_LEFT_OUT[answer.by]}。`;
    case 'waitingForRules':
      return `${service} 的 slice 已列出它，但 ${answer.nodes} 个节点中有 ${answer.missing} 个还没有它的规则${answer.until === null ? '' : `，将在 ${formatInstant(answer.until)} 写入`}。`;
    case 'inRules':
      return `自 ${formatInstant(answer.since)} 起，它是 ${service} 的后端${answer.nodes === 1 && answer.leftOut === null ? '' : `（${answer.nodes} 个节点）`}${answer.hops === null ? '' : hopsText(answer.hops)}。${answer.leftOut === null ? '' : `其他节点没有它：${WHY_LEFT_OUT[answer.leftOut]}。`}${lackingText(answer.lackingPorts)}`;
    case 'inSlices':
      return `自 ${formatInstant(answer.since)} 起，${service} 的 slice 将其列为就绪，且不写规则：客户端通过 Service 的名称找到它。`;
    case 'published':
      return `${service} 会发布未就绪的地址（publishNotReadyAddresses）：${answer.nodes === 0 ? '其 slice 将它列为就绪' : `${answer.nodes} 个节点的规则会把连接发给它`}。`;
    case 'leaving':
      return `${answer.nodes} 个节点上 ${service} 的规则仍会把连接发给它${answer.until === null ? '' : `，直到 ${formatInstant(answer.until)}`}。`;
    case 'fallback':
      return `${service} 已没有就绪端点：规则退而使用这个正在删除但仍可服务的端点；Endpoints 已将其移除。`;
    case 'dropped':
      return `${service} 的规则中已没有它；slice 仍将其列为可服务且终止中，Endpoints 则没有。`;
  }
}
