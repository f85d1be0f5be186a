/** The rules in words. Numbers are those of the semantics notes; sources are files of Kubernetes v1.37.2. */
import { CONTROL_PLANE_RULES } from './controlPlaneRules.ts';
import { type Rule, rule } from './rule.ts';

export type RuleNumber = keyof typeof RULES;

const KUBELET = 'pkg/kubelet/kubelet.go';
const WORKERS = 'pkg/kubelet/pod_workers.go';
const WORKER = 'pkg/kubelet/prober/worker.go';
const PROBER = 'pkg/kubelet/prober/prober.go';
const MANAGER = 'pkg/kubelet/prober/prober_manager.go';
const STATUS = 'pkg/kubelet/status/status_manager.go';
const RUNTIME = 'pkg/kubelet/kuberuntime/kuberuntime_manager.go';
const CONTAINER = 'pkg/kubelet/kuberuntime/kuberuntime_container.go';

export const RULES = {
  'K-008': rule(
    KUBELET,
    'syncLoopIteration',
    'One loop takes one message at a time from its channels. It only hands work to the Pod workers; it never waits for them.',
    '一个循环每次从各通道取一条消息，只把工作交给 Pod worker，从不等待其完成。',
  ),
  'K-010': rule(
    KUBELET,
    'HandlePodAdditions',
    'A Pod that is new to this node is admitted once, and its worker gets its first pass.',
    '节点上的新 Pod 只做一次准入，随后其 worker 开始第一轮。',
  ),
  'K-011': rule(
    KUBELET,
    'HandlePodUpdates',
    'A change of spec, labels or deletion time is stored and asks for a pass. That a Pod is being deleted is noticed by its worker, not here.',
    'spec、标签或删除时间的变化会被记录并触发一轮；Pod 正在删除这一点由其 worker 发现，而不是在这里。',
  ),
  'K-012': rule(
    KUBELET,
    'HandlePodRemoves',
    'A Pod that its source no longer has is forgotten, and its worker is told to kill it. A worker that has finished ignores that.',
    '来源中已不存在的 Pod 会被遗忘，并通知其 worker 终止它；已经结束的 worker 会忽略。',
  ),
  'K-013': rule(
    KUBELET,
    'HandlePodReconcile',
    'When only the status of a Pod changed in the API, the kubelet refreshes its copy. It starts a pass only for a Pod with readiness gates.',
    '若 API 中只有状态变化，kubelet 只刷新副本；仅当 Pod 有 readiness gate 时才触发一轮。',
  ),
  'K-015': rule(
    KUBELET,
    'syncLoopIteration',
    'A change that the relist found in the container runtime (a container started or died) asks for a pass of its Pod.',
    'relist 发现的容器运行时变化（启动或结束）会触发该 Pod 的一轮。',
  ),
  'K-016': rule(
    KUBELET,
    'syncLoopIteration',
    'A changed probe result is first written into the cached status, then a pass is asked for. Of liveness only a failure counts.',
    '探针结果变化先写入缓存状态，再触发一轮；存活探针只有失败才算。',
  ),
  'K-017': rule(
    KUBELET,
    'getPodsToSync',
    'Each second the loop takes the Pods whose resync or retry time has passed and asks for a pass of each.',
    '每秒取出到期的 Pod，各触发一轮。',
  ),
  'K-018': rule(
    KUBELET,
    'HandlePodCleanups',
    'Every two seconds the kubelet compares what runs with what is configured: finished workers, statuses and mirror Pods without a Pod go.',
    'kubelet 每两秒比较运行与配置：不再有对应 Pod 的 worker、状态和镜像 Pod 会被清理。',
  ),
  'K-032': rule(
    WORKERS,
    'UpdatePod',
    'A new request replaces the pending one: any number of them during one pass cost exactly one more pass.',
    '新请求取代等待中的请求：一轮进行中无论到来多少，都只多一轮。',
  ),
  'K-040': rule(
    WORKERS,
    'completeWork',
    'After each pass the Pod is queued again: 60 to 90 s after success, sooner after an error or for a crash back-off. The last entry wins.',
    '每轮结束后重新排队：成功后 60 到 90 s，出错或崩溃退避时更早；以最后一次为准。',
  ),
  'K-046': rule(
    KUBELET,
    'SyncPod',
    'A pass first works out and stores the status of the world as it was before, then makes probe workers, then calls the runtime. What it starts is seen only by the next pass.',
    '一轮先计算并存入此前的状态，再创建探针 worker，最后调用运行时；它启动的东西要到下一轮才可见。',
  ),
  'K-048': rule(
    KUBELET,
    'SyncTerminatingPod',
    'The Pod ends: a status is published, liveness and startup workers stop, containers are killed, then readiness stops too and the last status follows.',
    'Pod 结束：先发布状态，停止存活与启动探针，终止容器，随后停止就绪探针并发布最后的状态。',
  ),
  'K-050': rule(
    KUBELET,
    'SyncTerminatedPod',
    'After the containers: volumes are unmounted, and the status manager says its last word. Only then may the API object be deleted.',
    '容器结束之后：卸载卷，status manager 写入最后的状态；之后 API 对象才可删除。',
  ),
  'K-060': rule(
    RUNTIME,
    'computePodActions',
    'A Pod without a ready sandbox gets a new one before any container is created.',
    '没有就绪 sandbox 的 Pod 先创建 sandbox，再创建容器。',
  ),
  'K-067': rule(
    RUNTIME,
    'computePodActions',
    'A running container is killed when its liveness or startup result is a failure; unless the policy is Never the same pass starts it again, if no back-off holds it.',
    '存活或启动探针失败时容器被终止；除非策略为 Never，同一轮会再次启动它（若不在退避中）。',
  ),
  'K-072': rule(
    CONTAINER,
    'startContainer',
    'Containers are created and started one after another, in the order of the spec. The real start is the end of the start call.',
    '容器按 spec 顺序逐个创建并启动；启动调用返回的时刻即真正的启动时刻。',
  ),
  'K-075': rule(
    'pkg/kubelet/images/image_manager.go',
    'EnsureImageExists',
    'An image that the node does not have is pulled before the container is created, one pull after another. After a failed pull the next waits: 10 s, doubling up to 300 s.',
    '节点上没有的镜像在创建容器前逐个拉取。拉取失败后退避：10 s 起，逐次加倍，上限 300 s。',
  ),
  'K-078': rule(
    RUNTIME,
    'doBackOff',
    'A container that ended is not started again before its back-off is over: 10 s, doubling up to the maximum. Each try in between only says so.',
    '已结束的容器在退避期内不再启动：10 s 起，逐次加倍直到上限；期间每次尝试只报告。',
  ),
  'K-082': rule(
    CONTAINER,
    'killContainer',
    'The process gets its stop signal, and SIGKILL when the grace period is over.',
    '进程先收到停止信号，宽限期结束时收到 SIGKILL。',
  ),
  'K-101': rule(
    'pkg/kubelet/pleg/generic.go',
    'Relist',
    'That a process ended by itself is found by the next relist, up to a second later.',
    '进程自行退出由下一次 relist 发现，最多晚一秒。',
  ),
  'K-110': rule(
    MANAGER,
    'AddPod',
    'Each pass makes the missing probe workers, before any container of that pass starts. Their tickers count from here, not from the start of the container.',
    '每轮在启动容器之前补齐探针 worker；其节拍从此刻计起，而非容器启动时。',
  ),
  'K-114': rule(
    MANAGER,
    'RemovePod',
    'When the Pod is taken down its probe workers are told to stop; a run in progress completes.',
    'Pod 停止时通知探针 worker 停止；进行中的探测会完成。',
  ),
  'K-116': rule(
    WORKER,
    'run',
    'While the kubelet is younger than the period, a worker sleeps a random part of the period before its first turn.',
    'kubelet 启动时间不足一个周期时，worker 首次执行前随机休眠周期的一部分。',
  ),
  'K-118': rule(
    WORKER,
    'run',
    'A worker that leaves stops its ticker and removes the result of its container.',
    'worker 退出时停止节拍，并删除其容器的结果。',
  ),
  'K-120': rule(
    WORKER,
    'doProbe',
    'Without a cached status of the Pod the turn ends at once.',
    '没有 Pod 的缓存状态时，本次立即结束。',
  ),
  'K-121': rule(WORKER, 'doProbe', 'A Pod that has ended is not probed any more.', '已结束的 Pod 不再探测。'),
  'K-122': rule(
    WORKER,
    'doProbe',
    'While the cached status names no id for the container, there is nothing to probe: the turn ends.',
    '缓存状态中没有容器 id 时无可探测，本次结束。',
  ),
  'K-123': rule(
    WORKER,
    'doProbe',
    'A worker that sees another container id drops the old result, stores the initial one (readiness failure, liveness success, startup unknown) and is not on hold any more. Its count of equal results stays.',
    'worker 看到新的容器 id 时删除旧结果，存入初始值（就绪为失败，存活为成功，启动为未知），并解除暂停；连续计数保留。',
  ),
  'K-124': rule(
    WORKER,
    'doProbe',
    'A worker on hold probes nothing until it sees another container id.',
    '暂停的 worker 在看到新的容器 id 之前不再探测。',
  ),
  'K-125': rule(
    WORKER,
    'doProbe',
    'A container that does not run is not probed: its result is set to failure.',
    '未运行的容器不探测，结果记为失败。',
  ),
  'K-126': rule(
    WORKER,
    'doProbe',
    'Liveness and startup of a Pod that is being deleted count as success, and the worker leaves.',
    '正在删除的 Pod，其存活与启动探针按成功处理，worker 退出。',
  ),
  'K-127': rule(
    WORKER,
    'doProbe',
    'Before initialDelaySeconds the turn ends. The start is known in whole seconds only, so the real delay can be up to a second shorter.',
    '未满 initialDelaySeconds 时本次结束；启动时刻只精确到秒，实际延迟可能短近一秒。',
  ),
  'K-128': rule(
    WORKER,
    'doProbe',
    'Until startup is done only the startup worker probes; afterwards all but it do.',
    '启动完成前只有启动探针执行，之后则只有其他探针执行。',
  ),
  'K-129': rule(
    WORKER,
    'doProbe',
    'A probe that ends with an error of the prober changes nothing: no count, no result.',
    '探测器自身出错时什么都不变：不计数，不记结果。',
  ),
  'K-131': rule(
    WORKER,
    'doProbe',
    'Equal results in a row are counted; below the threshold nothing is published.',
    '连续相同的结果累计；未达阈值时不发布。',
  ),
  'K-133': rule(
    WORKER,
    'doProbe',
    'After a failed liveness verdict, or any startup verdict, the worker goes on hold.',
    '存活探针判定失败，或启动探针有了判定后，worker 暂停。',
  ),
  'K-135': rule(
    PROBER,
    'probe',
    'Up to three tries at once while a try ends with an error of the prober; when all do, an Unhealthy event says so.',
    '探测器自身出错时立即重试，最多三次；全部出错则产生 Unhealthy 事件。',
  ),
  'K-136': rule(
    PROBER,
    'probe',
    'Each failed run makes an Unhealthy event, whether it reaches the threshold or not; a redirect to another host is a success with a ProbeWarning event.',
    '每次失败都会产生 Unhealthy 事件，无论是否达到阈值；重定向到其他主机算成功，并产生 ProbeWarning 事件。',
  ),
  'K-160': rule(
    'pkg/kubelet/prober/results/results_manager.go',
    'Set',
    'Only a result that differs from the stored one is sent to the syncLoop.',
    '只有与已存结果不同的结果才会发送给 syncLoop。',
  ),
  'K-161': rule(
    'pkg/kubelet/prober/results/results_manager.go',
    'Remove',
    'A result is removed with its worker, or when the worker sees another container id. Nobody is told.',
    '结果随 worker 退出或容器 id 变化而删除，不通知任何一方。',
  ),
  'K-173': rule(
    STATUS,
    'SetPodStatus',
    'A pass hands its status to the status manager; an equal one is ignored, a different one becomes the next version.',
    '每轮把状态交给状态管理器；相同则忽略，不同则成为下一版本。',
  ),
  'K-174': rule(
    STATUS,
    'SetContainerReadiness',
    'A readiness result changes ready and the Ready conditions in the cached status at once, without waiting for a pass.',
    '就绪结果立即改变缓存状态中的 ready 与 Ready 条件，无需等待一轮。',
  ),
  'K-175': rule(
    STATUS,
    'SetContainerStartup',
    'A startup result changes only started; ready follows with the next pass.',
    '启动结果只改变 started；ready 由下一轮更新。',
  ),
  'K-185': rule(
    STATUS,
    'syncPod',
    'A new version is written with a GET and then a PATCH. Versions that come before the writer wakes share one PATCH.',
    '新版本先 GET 再 PATCH 写入；写入前到来的多个版本共用一次 PATCH。',
  ),
  'K-204': rule(
    MANAGER,
    'UpdatePodStatus',
    'A started container is ready when its readiness result is a success, or when it has no readiness probe.',
    '已启动的容器在就绪结果为成功，或没有就绪探针时为 ready。',
  ),
  'K-205': rule(
    MANAGER,
    'UpdatePodStatus',
    'A pass that finds a started container not ready triggers its readiness worker at once. Startup and liveness workers are never triggered this way.',
    '某轮发现已启动的容器未就绪时，立即触发其就绪探针；启动与存活探针从不这样触发。',
  ),
  ...CONTROL_PLANE_RULES,
} as const satisfies Readonly<Record<string, Rule>>;
