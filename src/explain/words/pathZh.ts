import { formatInstant } from '../../base/format.ts';
import { isDoubt } from '../answer.ts';
import type { CannotTell } from '../cannotTell.ts';
import type { Held } from '../heldAt.ts';
import type { HopNumber, PathPart } from '../hops.ts';
import type { LostRequest } from '../lostRequests.ts';
import type { Link, LinkKind, Why } from '../why.ts';
import { editZh } from './editZh.ts';
import type { PathWords } from './pathWords.ts';
import { zh } from './zh.ts';

const HOP: Readonly<Record<PathPart, string>> = {
  1: '等待探测',
  2: '探测',
  gate: '就绪门控',
  3: 'syncLoop',
  4: 'PATCH',
  5: '写 slice',
  silence: '节点尚未判定失联',
  fallback: '作为后备保留',
  6: '规则同步',
  7: '下一次请求',
};

const LINK: Readonly<Record<LinkKind, string>> = {
  exists: '存在于 API 中',
  kept: '未在删除',
  scheduled: '已有节点',
  node: '节点可联系',
  selected: '被 Service 选中',
  address: 'API 中已有地址',
  init: 'init 容器均已结束',
  app: '应用可服务',
  probe: '已成功',
  gate: '就绪门控已打开',
  kubelet: 'kubelet 认为 Ready',
  api: 'API 中 Ready',
  slice: '在 slice 中列为就绪',
  rules: '在规则中',
  request: '已有请求得到应答',
};
const PROBE: Readonly<Record<string, string>> = { startup: '启动探针', readiness: '就绪探针', liveness: '存活探针' };

const CANNOT_TELL: Readonly<Record<CannotTell, string>> = {
  outside: '模型无法判断：该时刻不在本次运行之内。',
  noServices: '它的命名空间中没有 Service，因此没有谁把它作为后端：请添加一个选中其标签的 Service。',
  noService: '模型无法判断：此场景中没有这个 Service。',
  externalName: '它的类型是 ExternalName：DNS 以另一个名称应答，没有 Pod 会成为其后端，也不写规则。',
  noSlices: '该 Service 没有选择器，此场景中也没有谁为它写 Endpoints 或 EndpointSlice：它没有后端。',
  noProxies: '模型无法判断：此场景中该处没有 kube-proxy。',
};

/** Why a node is not; else its name. */
const TROUBLE: Readonly<Record<string, string>> = {
  off: '断电',
  cut: '与外界断开',
  apiCut: '连不上 API server',
  kubeletDown: 'kubelet 停止运行',
};

const nameOf = (key: string): string => key.slice(key.indexOf('/') + 1);

export const pathZh: PathWords = {
  ...editZh,
  hop: (hop) => HOP[hop],
  leftBefore: (hop) => `离开时仍在等待：${HOP[hop]}`,
  unfinished: (hop) => (hop === 'fallback' ? `仍${HOP.fallback}` : `仍在等待：${HOP[hop]}`),
  lost: lostText,
  question: ({ pod, service, node, at, isBackend }) =>
    `${formatInstant(at)} 时，${node === null ? '' : `在 ${node} 上，`}${pod.name} 为什么${isBackend ? '是' : '不是'} ${service === '' ? '某个 Service' : nameOf(service)} 的后端？`,
  answer: answerText,
  link: ({ kind, container, probe }) => {
    if (kind === 'probe') return `${PROBE[probe ?? ''] ?? probe}${LINK.probe}（${container}）`;
    return `${LINK[kind]}${container === '' ? '' : `（${container}）`}`;
  },
  value: valueText,
  comes: ({ says, comesAt }) =>
    says === 'yes' ? '' : comesAt === null ? '本次运行结束前不会' : `将在 ${formatInstant(comesAt)}`,
};

function metText({ met, node, service, code }: LostRequest, pod: string): string {
  switch (met) {
    case 'noEndpoints':
      return `被${node === '' ? '' : ` ${node} 的`}规则拒绝：${nameOf(service)} 没有可以接收它的端点`;
    case 'noRules':
      return `超时：${node === '' ? '该处' : node} 还没有 ${nameOf(service)} 的规则`;
    case 'dropped':
      return `超时：被${node === '' ? '' : ` ${node} 的`}规则丢弃，${nameOf(service)} 的流量策略没有给它留下端点`;
    case 'noName':
      return `DNS 没有结果：${nameOf(service)} 的名称没有地址`;
    case 'nowhere':
      return '未发出：没有可用的地址';
    case 'noListener':
      return `被拒绝：${pod} 中没有进程监听`;
    case 'noProcess':
      return `被拒绝：${pod} 的容器没有运行`;
    case 'noAddress':
      return `超时：${pod} 的地址已无人使用`;
    case 'noWay':
      return pod === '' ? `超时：无法到达 ${node}` : `超时：无法到达 ${pod} 所在的节点`;
    case 'hang':
      return `超时：${pod} 的应用接受了连接但从不应答`;
    case 'slow':
      return `超时：${pod} 的应用应答得太晚`;
    case 'error':
      return `${pod} 应答 ${code}`;
    case 'wrongPod':
      return `由 ${pod} 应答，而 ${nameOf(service)} 并未选中它`;
    case 'ended':
      return `被重置：${pod} 的应用在应答之前结束了`;
  }
}

/** Who has spoken, by the hop that is under way. */
const KNOWN_TO: Readonly<Record<HopNumber, string>> = {
  1: '应用已停止应答',
  2: '应用已停止应答',
  3: 'kubelet 已可得知',
  4: 'kubelet 的状态中已有',
  5: 'API 中已有',
  6: 'slice 中已没有它',
  7: '规则中已没有它',
};

function heldText(held: Held): string {
  switch (held.kind) {
    case 'late':
      return `；在${HOP[held.hop]}（第 ${held.hop} 跳）完成之前它仍是后端：自 ${formatInstant(held.since)} 起${KNOWN_TO[held.hop]}`;
    case 'fallback':
      return '；已没有就绪端点，规则退而使用这个正在删除的端点';
    case 'published':
      return '；该 Service 无论就绪与否都会发布它';
    case 'connection':
      return `；客户端自 ${formatInstant(held.since)} 起与它保持连接，而规则只决定新连接`;
    case 'name':
      return `；客户端从 DNS 得到它的地址，而 slice 自 ${formatInstant(held.since)} 起已没有它`;
    case 'watcher':
      return `；客户端自己监视 slice，尚未采用 ${formatInstant(held.since)} 起没有它的版本`;
    case 'flow':
      return `；它的数据包属于节点仍在跟踪的连接，而 slice 自 ${formatInstant(held.since)} 起已没有它`;
    case 'silent':
      return '；节点沉默超过宽限期后才会被放弃';
    case 'unasked':
      return '；没有就绪探针询问它，因此它被视为就绪';
    case 'unnoticed':
      return '；它的探针没有察觉';
    case 'answering':
      return '';
  }
}

function lostText(request: LostRequest, pod: string): string {
  return `${metText(request, pod)}${request.held === null ? '' : heldText(request.held)}。`;
}

function valueText({ kind, value }: Link): string {
  if (kind === 'kubelet') return value === '' ? '' : `状态 v${value}`;
  if (kind === 'node') return TROUBLE[value] ?? value;
  return kind === 'rules' ? `${value} 个节点` : zh.state(value);
}

function answerText(why: Why): string {
  const { cannotTell, isBackend, missing, comesTrueAt } = why;
  if (cannotTell !== null) return CANNOT_TELL[cannotTell];
  if (isBackend) return backendText(why);
  const then =
    comesTrueAt === null ? '本次运行结束前它不会成为后端。' : `它将在 ${formatInstant(comesTrueAt)} 成为后端。`;
  return `${missing === null ? '' : missingText(why, missing)}${then}`;
}

function backendText({ answer, links }: Why): string {
  const said = zh.backend(answer);
  if (said !== '') return isDoubt(answer.because) ? `${said}${zh.because(answer)}` : said;
  const api = links.find(({ kind }) => kind === 'api');
  return api?.says === 'yes'
    ? '规则会把新连接发给它。'
    : '它虽未就绪仍被发布：该 Service 设置了 publishNotReadyAddresses。';
}

function missingText({ answer, service }: Why, { kind, value, since }: Link): string {
  switch (kind) {
    case 'exists':
      return zh.because(answer);
    case 'kept':
      return `它${since === null ? '' : `自 ${formatInstant(since)} 起`}正在删除。${zh.backend(answer)}`;
    case 'selected':
      return `它的标签与 ${nameOf(service)} 的选择器（${value}）不匹配。`;
    case 'address':
      return `API 中还没有它的地址。${zh.because(answer)}`;
    case 'slice':
    case 'rules':
      return zh.backend(answer);
    default:
      return zh.because(answer);
  }
}
