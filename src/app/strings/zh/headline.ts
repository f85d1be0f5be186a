import type { headline as en } from '../en/headline.ts';

export const headline: typeof en = {
  lastGoodRun: '上次有效运行。',
  lastGoodRunWhy: '文本有错误，泳道显示出错之前的运行。',
  engineFailed: '模拟器出错。',
  engineFailedWhat: '泳道显示上次有效运行。如需报告，请复制场景。',
  copyScenario: '复制场景',
  simulating: (pods) => `正在模拟 ${pods} 个 Pod`,
  oldRunShown: '下方泳道仍是修改之前的运行。',
  done: (share) => `${Math.round(share * 100)}\u202f%`,
  cancel: '取消',
  cancelled: '已取消。',
  runAgain: '运行',
  noKubelets: '这里没有由 kubelet 运行的 Pod：请看 Service 与 kube-proxy 的泳道。',
  noPods: '本次运行没有 Pod：replicas 为 0。',
  verdict: { absent: '无 Pod', notReady: '未就绪', ready: '就绪', notBackend: '不在后端池', backend: '在后端池' },
  atTime: (time, sentence) => `${time} 时，${sentence}`,
  choosePod: 'Pod',
};
