import type { transport as en } from '../en/transport.ts';

export const transport: typeof en = {
  transport: '播放',
  previousEvent: '上一个事件（,）',
  nextEvent: '下一个事件（.）',
  play: '播放（空格）',
  pause: '暂停（空格）',
  timeField: '播放头，例如 11.34 或 +50ms',
  badTime: '请输入时间，例如 11.34、250ms 或 +1s',
  speed: '速度',
  magnify: '放大',
  magnifyLong: '将约一秒放大 8 倍绘制（X）',
  fold: '折叠空闲时间',
  foldLong: '折叠超过 2 s 且没有变化的时间（Z）',
  fit: '适应',
  fitLong: '显示整个运行（F）',
  stepEvent: '逐个事件',
  add: {
    title: '在播放头处添加',
    crash: (container) => `让 ${container} 立即崩溃`,
    deletePod: (pod) => `删除 ${pod}`,
    evictPod: (pod) => `驱逐 ${pod}，如同节点内存不足时 kubelet 所为`,
    flip: (type) => `翻转 readiness gate ${type}`,
    restartKubelet: (node, seconds) => `重启 ${node} 的 kubelet，停止 ${seconds} s`,
    cutApi: (node, seconds) => `断开 ${node} 与 API server 的连接 ${seconds} s`,
  },
};
