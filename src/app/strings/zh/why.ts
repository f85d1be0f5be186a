import type { why as en } from '../en/why.ts';

export const why: typeof en = {
  why: {
    ask: '为什么？',
    title: '为什么',
    service: 'Service',
    chain: '从对象到首个请求的各个环节',
    pin: '问题停在此刻',
    copy: '复制答案',
    prove: '在集群中验证',
    node: '节点',
    allNodes: '所有节点',
    since: (time) => `自 ${time}`,
    never: '本次运行中没有',
    trying: (done, all) => `正在试验 ${done}/${all} 项改动`,
    try: '试试',
    tryEdit: (edit) => `试试 ${edit}`,
    report: '报告不准确之处',
    reported: '报告已在剪贴板中，含场景文本：请粘贴到项目的 issue 中。',
  },
  path: {
    title: '时间花在哪里',
    joining: (from, to) => `应用可应答 ${from} → ${to === null ? '尚无成功请求' : `首个请求得到应答 ${to}`}`,
    joiningUnasked: (from, to, node) =>
      `应用可应答 ${from} → ${to === null ? '尚未' : ''}进入${node === '' ? ' slice' : ` ${node} 的规则`}${to === null ? '' : ` ${to}`}`,
    leaving: (cause, from, node, to) =>
      `${cause} ${from} → ${to === null ? `仍在 ${node} 的规则中` : `移出 ${node} 的规则 ${to}`}`,
    cause: {
      delete: (pod) => `${pod} 被删除`,
      readiness: (pod) => `${pod} 就绪探针失败`,
      liveness: (pod) => `${pod} 存活探针失败`,
      startup: (pod) => `${pod} 启动探针失败`,
      containerExit: (pod) => `${pod} 的容器退出`,
      condition: (pod) => `${pod} 的 readiness gate 关闭`,
      node: (pod) => `${pod} 所在节点失联`,
      marked: (pod) => `${pod} 被标记为未 Ready`,
    },
    couldHaveServed: (count) => `应用可应答期间丢失 ${count} 个请求`,
    lost: (count) => `发往它的 ${count} 个请求丢失`,
    noProbe: '第 1–4 步不适用：删除不由探针决定',
    share: (percent) => `占路径的 ${percent}\u202f%`,
    zoomTo: '显示这一步',
    part: { waitForSync: '等待同步', writeRules: '写规则' },
    lastSent: '最后一个发出的请求',
  },
};
