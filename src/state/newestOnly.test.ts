import { describe, expect, it } from 'vitest';
import { newestOnly } from './newestOnly.ts';

/** Work that the test ends by hand. */
function handWork() {
  const begun: {
    readonly task: string;
    readonly end: (result: string) => void;
    readonly fail: (error: Error) => void;
  }[] = [];
  const work = newestOnly((task: string) => new Promise<string>((end, fail) => begun.push({ task, end, fail })));
  return { work, begun, tasks: () => begun.map(({ task }) => task) };
}
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('newestOnly', () => {
  it('does one at a time, and of those that came meanwhile only the newest', async () => {
    const { work, begun, tasks } = handWork();
    const results = [work('first'), work('second'), work('third')];
    await settled();
    expect(tasks()).toEqual(['third']);
    begun[0]?.end('done');
    expect(await Promise.all(results)).toEqual([null, null, 'done']);
  });

  it('ends what it has begun before it begins the next', async () => {
    const { work, begun, tasks } = handWork();
    const first = work('first');
    await settled();
    const later = [work('second'), work('third')];
    await settled();
    expect(tasks()).toEqual(['first']);
    begun[0]?.end('done');
    await settled();
    expect(tasks()).toEqual(['first', 'third']);
    begun[1]?.end('done too');
    expect(await Promise.all([first, ...later])).toEqual(['done', null, 'done too']);
  });

  it('goes on after work that failed, and tells who asked for it', async () => {
    const { work, begun } = handWork();
    const first = work('first');
    await settled();
    const second = work('second');
    begun[0]?.fail(new Error('out of memory'));
    await expect(first).rejects.toThrow('out of memory');
    await settled();
    begun[1]?.end('done');
    expect(await second).toBe('done');
  });
});
