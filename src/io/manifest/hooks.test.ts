import { expect, it } from 'vitest';
import { sleepOf } from './hooks.ts';

it.each<[command: string[], seconds: number | null]>([
  [['sleep', '5'], 5],
  [['/bin/sleep', '0.5'], 0.5],
  [['sleep', '2m'], 120],
  [['/bin/sh', '-c', ' sleep 15s '], 15],
  [['bash', '-c', 'sleep 10'], 10],
  [['sh', '-c', 'sleep 15 && nginx -s quit'], null],
  [['sleep', 'infinity'], null],
  [['sleep', '5', '6'], null],
  [['python', '-c', 'sleep 5'], null],
  [['drain'], null],
])('the command %j takes %s s', (command, seconds) => {
  expect(sleepOf(command)).toBe(seconds);
});
