/** Rules of the API server, the endpoint controllers and kube-proxy in words. */
import { type Rule, rule } from './rule.ts';

const STORE = 'staging/src/k8s.io/apiserver/pkg/storage/etcd3/store.go';
const ENDPOINTS = 'pkg/controller/endpoint/endpoints_controller.go';
const SLICES = 'pkg/controller/endpointslice/endpointslice_controller.go';
const RECONCILER = 'staging/src/k8s.io/endpointslice/reconciler.go';
const SLICE_UTILS = 'staging/src/k8s.io/endpointslice/utils.go';
const CONTROLLER_UTILS = 'staging/src/k8s.io/endpointslice/util/controller_utils.go';
const QUEUE = 'staging/src/k8s.io/client-go/util/workqueue/queue.go';
const RUNNER = 'pkg/proxy/runner/bounded_frequency_runner.go';
const IPTABLES = 'pkg/proxy/iptables/proxier.go';

export const CONTROL_PLANE_RULES = {
  'C-001': rule(
    STORE,
    'store',
    'Each write that changes something gets the next resourceVersion and is one event for everybody who watches.',
    '每次有变化的写入得到下一个 resourceVersion，并对所有 watch 方产生一个事件。',
  ),
  'C-002': rule(
    STORE,
    'GuaranteedUpdate',
    'A write that leaves the object as it was succeeds, but nothing is stored and nobody is told.',
    '不改变对象的写入会成功，但不存储，也不通知任何一方。',
  ),
  'C-003': rule(
    'staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go',
    'Update',
    'An update that names an older resourceVersion than the stored one is refused with 409 Conflict.',
    '更新所带的 resourceVersion 若早于已存版本，则以 409 Conflict 拒绝。',
  ),
  'C-004': rule(
    'staging/src/k8s.io/client-go/tools/cache/shared_informer.go',
    'sharedIndexInformer',
    'Each component hears of each change once and in order, but at its own time: there is no order between components or resources.',
    '每个组件按顺序各得知一次变化，但时间各自不同；组件之间、资源之间没有先后保证。',
  ),
  'C-030': rule(
    QUEUE,
    'Add, Get, Done',
    'A key is never worked on twice at once. What comes while it is worked on collapses into one more turn.',
    '同一个键不会同时处理两次；处理期间到来的添加合并为再来一次。',
  ),
  'C-031': rule(
    'staging/src/k8s.io/client-go/util/workqueue/delaying_queue.go',
    'AddAfter',
    'A key that waits already keeps the earlier time.',
    '已在等待的键保留较早的时间。',
  ),
  'C-032': rule(
    'staging/src/k8s.io/client-go/util/workqueue/default_rate_limiters.go',
    'ItemExponentialFailureRateLimiter',
    'A failed key is tried again with a growing delay, at most 15 times. It begins with 5 ms for Endpoints and with 1 s for slices.',
    '失败的键以递增的延迟重试，最多 15 次；Endpoints 从 5 ms 开始，slice 从 1 s 开始。',
  ),
  'C-110': rule(
    CONTROLLER_UTILS,
    'podEndpointsChanged',
    'Only changes of Ready, the addresses, the labels, or the deletion count. Every update of a Pod that is being deleted counts.',
    '只有 Ready、地址、标签或删除状态的变化才算数；正在删除的 Pod 的每次更新都算。',
  ),
  'C-112': rule(
    CONTROLLER_UTILS,
    'GetServicesToUpdate',
    'A Pod concerns the Services whose selector fits its labels. When only labels changed, those that began or ceased to fit.',
    'Pod 影响选择器与其标签匹配的 Service；若只有标签变化，则是开始或不再匹配的那些。',
  ),
  'C-113': rule(
    'cmd/kube-controller-manager/app/options/endpointslicecontroller.go',
    'EndpointUpdatesBatchPeriod',
    'A Pod change is queued after the batch period, which is 0 by default: at once.',
    'Pod 的变化在批处理周期之后入队；默认为 0，即立即入队。',
  ),
  'C-120': rule(
    ENDPOINTS,
    'syncService',
    'Ready Pods go to addresses, the others to notReadyAddresses, and a Pod that is being deleted to neither. Nothing is written when the subsets stay the same.',
    '就绪的 Pod 进入 addresses，其余进入 notReadyAddresses，正在删除的 Pod 不进入任何一个；子集不变则不写入。',
  ),
  'C-130': rule(
    'pkg/api/v1/endpoints/util.go',
    'RepackSubsets',
    'Ports with the same addresses share a subset; an address that is not ready for a port is not in both lists.',
    '地址相同的端口共用一个子集；对某端口未就绪的地址不会同时出现在两个列表中。',
  ),
  'C-201': rule(
    CONTROLLER_UTILS,
    'ShouldPodBeInEndpoints',
    'A slice lists every Pod that has an address and has not ended, also one that is being deleted.',
    'slice 列出所有有地址且未结束的 Pod，包括正在删除的。',
  ),
  'C-202': rule(
    SLICE_UTILS,
    'podToEndpoint',
    'serving is the Ready condition, terminating says that the Pod is being deleted, and ready is serving without terminating.',
    'serving 即 Ready 条件，terminating 表示 Pod 正在删除，ready 为 serving 且未 terminating。',
  ),
  'C-210': rule(
    SLICES,
    'syncService',
    'One sync compares the slices of a Service with its Pods and writes what differs: creates, then updates, then deletions.',
    '一次同步比较 Service 的 slice 与其 Pod，并写入差异：先创建，再更新，后删除。',
  ),
  'C-212': rule(
    'staging/src/k8s.io/endpointslice/util/endpointslice_tracker.go',
    'StaleSlices',
    'When its cache does not show its own last write yet, the controller waits: 1 s at least, twice as long each further time.',
    '若缓存尚未反映自己上一次的写入，控制器会等待：至少 1 s，每再遇到一次加倍。',
  ),
  'C-221': rule(
    RECONCILER,
    'reconcileByPortMapping',
    'New endpoints fill slices that are written anyway, then the fullest that has room, then a new one. A slice holds 100 by default.',
    '新端点先填入本来就要写的 slice，再填入最满而仍有空位的，最后才新建；每个 slice 默认容纳 100 个。',
  ),
  'C-260': rule(
    'pkg/controller/endpointslicemirroring/endpointslicemirroring_controller.go',
    'syncEndpoints',
    'Endpoints of a Service without selector are copied into slices, so that kube-proxy sees them.',
    '没有选择器的 Service 的 Endpoints 会复制到 slice，kube-proxy 才能看到。',
  ),
  'P-003': rule(
    IPTABLES,
    'OnServiceSynced, OnEndpointSlicesSynced',
    'No rule is written before all Services and all slices are known.',
    '在得知全部 Service 与全部 slice 之前不写任何规则。',
  ),
  'P-004': rule(
    'pkg/proxy/servicechangetracker.go',
    'Update',
    'A change of a Service asks for a sync; one that is taken back before the sync disappears.',
    'Service 的变化会请求同步；同步前被撤回的变化随之消失。',
  ),
  'P-005': rule(
    'pkg/proxy/endpointslicecache.go',
    'updatePending',
    'Any difference of a slice counts, its metadata too. A change that is taken back asks for a sync all the same.',
    'slice 的任何差异都算，包括元数据；被撤回的变化同样请求同步。',
  ),
  'P-007': rule(
    'pkg/proxy/config/config.go',
    'NodeTopologyConfig',
    'Another zone label of its own node makes kube-proxy write all rules.',
    '所在节点的 zone 标签变化会使 kube-proxy 重写全部规则。',
  ),
  'P-021': rule(
    RUNNER,
    'Loop',
    'After each sync kube-proxy rests for minSyncPeriod, 1 s by default. The first change after a quiet time is written at once; those that come while it rests wait and are written together.',
    '每次同步后 kube-proxy 休息 minSyncPeriod（默认 1 s）。安静之后的第一个变化立即写入；休息期间到来的变化等待并一起写入。',
  ),
  'P-022': rule(
    RUNNER,
    'Loop',
    'A sync works on what was known when it began. What comes while it writes waits for the next one.',
    '一次同步以其开始时已知的内容为准；写入期间到来的变化等待下一次。',
  ),
  'P-023': rule(
    IPTABLES,
    'syncProxyRules',
    'The first sync, one after a failure, and one after more than an hour write the rules of all Services.',
    '首次同步、失败之后的同步、以及超过一小时之后的同步会重写所有 Service 的规则。',
  ),
  'P-024': rule(
    IPTABLES,
    'syncProxyRules',
    'When a write fails, the old rules stay, and all are written again within syncPeriod, 30 s by default.',
    '写入失败时沿用旧规则，并在 syncPeriod（默认 30 s）内全部重写。',
  ),
  'P-030': rule(
    IPTABLES,
    'syncProxyRules',
    'A partial sync writes the chains of Services that changed; the others stay as they are.',
    '部分同步只写有变化的 Service 的链，其余不动。',
  ),
  'P-040': rule(
    'pkg/proxy/nftables/proxier.go',
    'syncProxyRules',
    'Chains that nothing uses any more are emptied at once and deleted by a sync a second or more later.',
    '不再使用的链立即清空，并在一秒或更久之后的同步中删除。',
  ),
  'P-051': rule(
    'pkg/proxy/topology.go',
    'CategorizeEndpoints',
    'Only ready endpoints are used. When there is none, those that are terminating and still serve are used instead; without these the rules reject.',
    '只使用就绪端点；一个也没有时，改用正在终止但仍可服务的端点；若这样的也没有，则拒绝连接。',
  ),
  'P-056': rule(
    'pkg/proxy/conntrack/cleanup.go',
    'CleanStaleEntries',
    'Rules see the first packet of a connection only: an open one stays with its backend whatever the rules say since.',
    '规则只作用于连接的第一个包：已建立的连接留在原后端，不受之后规则变化的影响。',
  ),
  'P-060': rule(
    'pkg/proxy/healthcheck/service_health.go',
    'SyncEndpoints',
    'The health check port answers 200 while a ready endpoint is on this node, else 503.',
    '本节点有就绪端点时健康检查端口应答 200，否则应答 503。',
  ),
  'P-062': rule(
    'pkg/proxy/conntrack/cleanup.go',
    'CleanStaleEntries',
    'UDP connections to endpoints that do not serve any more are forgotten after a sync. TCP connections never are.',
    '同步之后，指向不再可服务端点的 UDP 连接记录会被删除；TCP 连接从不删除。',
  ),
  'T-003': rule(
    'pkg/proxy/healthcheck/service_health.go',
    'ServeHTTP',
    'A cloud balancer sends to the nodes whose health check answers well, and learns of a change only after several checks.',
    '云负载均衡器只向健康检查正常的节点转发，状态变化要经过数次检查才会被发现。',
  ),
  'T-004': rule(
    'pkg/apis/core/types.go',
    'ServiceSpec',
    'The name of a headless Service leads to its ready endpoints, or to nothing; that of any other one to its cluster IP.',
    '无头 Service 的名称解析为其就绪端点，没有则解析失败；其他 Service 的名称解析为集群 IP。',
  ),
  'T-005': rule(
    'cmd/kubeadm/app/phases/addons/dns/manifests.go',
    'CoreDNSConfigMap',
    'Each cache between a client and CoreDNS may repeat an old answer until its time to live is over, also that there is no such name.',
    '客户端与 CoreDNS 之间的每层缓存都可能在 TTL 到期之前重复旧答案，包括“没有这个名称”。',
  ),
  'T-010': rule(
    'pkg/proxy/topology.go',
    'CategorizeEndpoints',
    'What a new connection meets is decided by its first packet: the rules in force on its node at that instant, and the app behind the backend that they choose.',
    '新连接的结果由第一个包决定：当时其节点上生效的规则，以及所选后端中的应用。',
  ),
  'T-012': rule(
    'pkg/proxy/conntrack/cleanup.go',
    'CleanStaleEntries',
    'An established connection stays with its Pod until that side ends it, ready or not, in the rules or not.',
    '已建立的连接会留在原 Pod，直到对方结束它，与 Pod 是否就绪、是否还在规则中无关。',
  ),
  'T-013': rule(
    'pkg/kubelet/kuberuntime/kuberuntime_container.go',
    'killContainer',
    'Clients that keep their connections go on using a Pod that drains; what fails, fails when its process stops or ends.',
    '保持连接的客户端会继续使用正在排空的 Pod；失败发生在进程停止服务或退出之时。',
  ),
  'T-014': rule(
    'pkg/proxy/endpointslicecache.go',
    'updatePending',
    'The connections that a deletion costs are those that begin between the app’s last answer and the new rules, and that the old rules send to it.',
    '删除 Pod 所丢失的连接，是在应用停止应答之后、新规则生效之前开始，且被旧规则送往该 Pod 的那些。',
  ),
} as const satisfies Readonly<Record<string, Rule>>;
