/** Undo and redo over immutable values. */
export interface History<T> {
  readonly past: readonly T[];
  readonly present: T;
  readonly future: readonly T[];
  /** Edits with the same key in a row, such as one drag of a slider, are one step. */
  readonly mergeKey: string | null;
}

const MOST_STEPS = 200;

export const startHistory = <T>(present: T): History<T> => ({ past: [], present, future: [], mergeKey: null });

export function edit<T>({ past, present, mergeKey: before }: History<T>, next: T, mergeKey: string | null): History<T> {
  const merges = mergeKey !== null && mergeKey === before;
  return { past: merges ? past : [...past, present].slice(-MOST_STEPS), present: next, future: [], mergeKey };
}

/** The next edit is a step of its own whatever its key. */
export const settle = <T>(history: History<T>): History<T> => ({ ...history, mergeKey: null });

export function undo<T>(history: History<T>): History<T> {
  const { past, present, future } = history;
  const before = past.at(-1);
  if (before === undefined) return history;
  return { past: past.slice(0, -1), present: before, future: [present, ...future], mergeKey: null };
}

export function redo<T>(history: History<T>): History<T> {
  const [next, ...future] = history.future;
  if (next === undefined) return history;
  return { past: [...history.past, history.present], present: next, future, mergeKey: null };
}
