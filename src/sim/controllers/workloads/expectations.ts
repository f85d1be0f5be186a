import { MICROS_PER_SECOND, type Micros } from '../../../base/units.ts';
import type { Scheduler } from '../../kernel/kernel.ts';

/** How long an expectation holds that is never fulfilled, µs (pkg/controller/controller_utils.go ExpectationsTimeout). */
const TIMEOUT = 300 * MICROS_PER_SECOND;

interface Expected {
  adds: number;
  deletions: number;
  readonly since: Micros;
}

/**
 * How many creations and deletions a controller has asked for and not seen yet: until then it does not act again (N-020).
 * Source: pkg/controller/controller_utils.go ControllerExpectations.
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
    const fulfilled = expected.adds <= 0 && expected.deletions <= 0;
    return fulfilled || this.kernel.now - expected.since > TIMEOUT;
  }

  expect(key: string, adds: number, deletions: number): void {
    this.expected.set(key, { adds, deletions, since: this.kernel.now });
  }

  creationObserved(key: string): void {
    const expected = this.expected.get(key);
    if (expected) expected.adds--;
  }

  deletionObserved(key: string): void {
    const expected = this.expected.get(key);
    if (expected) expected.deletions--;
  }

  forget(key: string): void {
    this.expected.delete(key);
  }
}

/**
 * Expectations that know which Pods are to go: each deletion is observed once.
 * Source: pkg/controller/controller_utils.go UIDTrackingControllerExpectations.
 */
export class PodExpectations {
  private readonly counted: Expectations;
  private readonly pods = new Map<string, Set<string>>();

  constructor(kernel: Scheduler) {
    this.counted = new Expectations(kernel);
  }

  satisfied(key: string): boolean {
    return this.counted.satisfied(key);
  }

  expectCreations(key: string, adds: number): void {
    this.counted.expect(key, adds, 0);
  }

  /** `pods`: identities. */
  expectDeletions(key: string, pods: readonly string[]): void {
    this.pods.set(key, new Set(pods));
    this.counted.expect(key, 0, pods.length);
  }

  creationObserved(key: string): void {
    this.counted.creationObserved(key);
  }

  deletionObserved(key: string, pod: string): void {
    if (this.pods.get(key)?.delete(pod)) this.counted.deletionObserved(key);
  }

  forget(key: string): void {
    this.counted.forget(key);
    this.pods.delete(key);
  }
}
