import { Gate, type Task } from '../kernel/kernel.ts';

/** Go's sync.Mutex for processes: one holder at a time, in the order of asking. */
export class Mutex {
  /** Opens when the last one that asked lets go. */
  private last: Gate | null = null;

  /** Waits for the lock; returns what lets it go. */
  *lock(): Task<() => void> {
    const before = this.last;
    const mine = new Gate();
    this.last = mine;
    if (before && !before.isOpen) yield before;
    return () => mine.open();
  }
}
