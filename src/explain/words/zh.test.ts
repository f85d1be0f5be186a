import { describe, expect, it } from 'vitest';
import { zh } from './zh.ts';

describe('words on the lanes in Chinese', () => {
  it.each([
    ['a state', 'not ready', '未就绪'],
    ['a number of what is ready', '3 ready', '3 就绪'],
    ['each of several parts', 'ready · truncated', '就绪 · 已截断'],
    ['a part that is counted in words of the API', 'ready · 2 slices', '就绪 · 2 slices'],
    ['why rules are not written yet', 'change waits', '变化等待写入'],
    ['the way of a rule sync', 'partial', '增量'],
    ['names of the API stay', 'ContainersNotReady', 'ContainersNotReady'],
    ['calls of the runtime stay', 'runPodSandbox', 'runPodSandbox'],
    ['messages of the kubelet stay', 'back-off 40s', 'back-off 40s'],
  ])('%s: %s', (_name, word, said) => {
    expect(zh.state(word)).toBe(said);
  });
});
