/** How long an expectation holds that is never fulfilled, µs (pkg/controller/controller_utils.go ExpectationsTimeout). */
import { MICROS_PER_SECOND, type Micros } from '../../../base/units.ts';
import type { Scheduler } from '../../kernel/kernel.ts';

const TIMEOUT = 300 * MICROS_PER_SECOND;

interface Expected {
  adds: number;
  readonly deletions: Set<string>;
  readonly since: Micros;
}

/**
 * Creations and deletions that a controller has asked for and not seen yet: until then it does not act again (N-020).
 * Source: pkg/controller/controller_utils.go ControllerExpectations, UIDTrackingControllerExpectations.
 */
export class Expectations {
  private readonly kernel: Scheduler;
  private readonly expected = new Map<string, Expected>();

  constructor(kernel: Scheduler) {
    this.kernel = kernel;
  }

  /** Nothing is waited for, or for too long. */
  satisfied(key: string): boolean {
    const expected = this.expected.get(key);
    if (!expected) return true;
    const fulfilled = expected.adds <= 0 && expected.deletions.size === 0;
    return fulfilled || this.kernel.now - expected.since > TIMEOUT;
  }

  expectCreations(key: string, adds: number): void {
    this.expected.set(key, { adds, deletions: new Set(), since: this.kernel.now });
  }

  /** `pods`: identities. */
  expectDeletions(key: string, pods: readonly string[]): void {
    this.expected.set(key, { adds: 0, deletions: new Set(pods), since: this.kernel.now });
  }

  creationObserved(key: string): void {
    const expected = this.expected.get(key);
    if (expected) expected.adds--;
  }

  deletionObserved(key: string, pod: string): void {
    this.expected.get(key)?.deletions.delete(pod);
  }

  forget(key: string): void {
    this.expected.delete(key);
  }
}
