/** A small wrong edit of the kubelet model. */
export interface Edit {
  /** The rule that it breaks. */
  readonly rule: string;
  /** What the model then does. */
  readonly wrong: string;
  /** Below src/sim. */
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly search: string;
  readonly replace: string;
}

const edit = (rule: string, wrong: string, file: string, search: string, replace: string): Edit => ({
  rule,
  wrong,
  file,
  search,
  replace,
});

/** One wrong edit each; at least one test has to fail for each of them. */
export const EDITS: readonly Edit[] = [
  edit(
    'K-131',
    'a verdict needs one attempt more than its threshold',
    'kubelet/prober/probeWorkerMachine.ts',
    "runAfter(context, result) >= (result === 'failure'",
    "runAfter(context, result) > (result === 'failure'",
  ),
  edit(
    'K-127',
    'initialDelaySeconds are counted one second too long',
    'kubelet/prober/turnFacts.ts',
    '>= spec.initialDelaySeconds',
    '> spec.initialDelaySeconds',
  ),
  edit(
    'K-128',
    'startup gates nothing',
    'kubelet/prober/probeWorkerMachine.ts',
    "facts.started === (context.kind === 'startup')",
    "facts.started && context.kind === 'startup'",
  ),
  edit(
    'K-133',
    'a failed liveness verdict does not put the worker on hold',
    'kubelet/prober/probeWorkerMachine.ts',
    "? context.kind !== 'readiness'",
    "? context.kind === 'startup'",
  ),
  edit(
    'K-117',
    'a trigger by hand leaves the ticker as it is',
    'kubelet/prober/probeWorker.ts',
    'if (behaviour.pokeRestartsTicker) this.ticker',
    'if (!behaviour.pokeRestartsTicker) this.ticker',
  ),
  edit('K-135', 'an error is tried again only once', 'kubelet/prober/prober.ts', 'MAX_TRIES = 3', 'MAX_TRIES = 2'),
  edit(
    'K-116',
    'a worker of an old kubelet sleeps too',
    'kubelet/prober/probeWorker.ts',
    'this.period > uptime ?',
    'this.period > 0 ?',
  ),
  edit(
    'K-113',
    'startup workers go on while the Pod terminates',
    'kubelet/prober/proberManager.ts',
    ": ['liveness', 'startup'];",
    ": ['liveness'];",
  ),
  edit(
    'K-123',
    'a container that is a second older than the kubelet counts as old',
    'kubelet/context.ts',
    'OLD_CONTAINER_MARGIN_SECONDS = 10',
    'OLD_CONTAINER_MARGIN_SECONDS = 0',
  ),
  edit(
    'K-205',
    'a status in the making triggers no readiness worker',
    'kubelet/prober/proberManager.ts',
    'this.poke(pod, name, worker, asked)',
    'void asked',
  ),
  edit(
    'K-160',
    'an equal result is sent as well',
    'kubelet/prober/resultsManager.ts',
    'if (was === result) return;',
    '',
  ),
  edit(
    'K-016',
    'a liveness success asks for a pass',
    'kubelet/kubelet.ts',
    "if (kind === 'liveness' && result !== 'failure') return;",
    '',
  ),
  edit(
    'K-042',
    'what is due in the instant of a tick is taken by it',
    'kubelet/workQueue.ts',
    'this.tickAfter(entry.dueAt)',
    'this.tickAfter((entry.dueAt - 1) as Micros)',
  ),
  edit(
    'K-040',
    'the next pass is queued up to 1.6 times ahead',
    'kubelet/podWorkers.ts',
    'JITTER = 0.5',
    'JITTER = 0.6',
  ),
  edit(
    'K-099',
    'a view from before the last pass is good enough',
    'kubelet/pleg.ts',
    'global > newerThan)',
    'global > newerThan - 1_000_000)',
  ),
  edit(
    'K-096',
    'a pass that did something asks for no relist',
    'kubelet/podWorkers.ts',
    'if (asks) this.pleg.request',
    'if (!asks) this.pleg.request',
  ),
  edit(
    'K-036',
    'the longest grace that was asked for counts',
    'kubelet/podWorkers.ts',
    'wanted < worker.grace',
    'wanted > worker.grace',
  ),
  edit(
    'K-066',
    'OnFailure restarts what has succeeded',
    'kubelet/runtime/restartRule.ts',
    'exitCode !== 0',
    'exitCode >= 0',
  ),
  edit(
    'K-067',
    'a probe kill waits for another pass to restart',
    'kubelet/runtime/podActions.ts',
    'if (restarts) start.push(container);',
    '',
  ),
  edit(
    'K-077',
    'the back-off has no maximum',
    'kubelet/runtime/crashBackOff.ts',
    'Math.min(entry.value * 2, this.max)',
    'entry.value * 2',
  ),
  edit(
    'K-082',
    'SIGKILL may follow SIGTERM after one second',
    'kubelet/runtime/runtimeManager.ts',
    'MIN_STOP_GRACE_SECONDS = 2',
    'MIN_STOP_GRACE_SECONDS = 1',
  ),
  edit(
    'K-085',
    'a sidecar does not wait for the regular containers',
    'kubelet/runtime/terminationOrdering.ts',
    '[...regular, ...later]',
    'later',
  ),
  edit(
    'K-177',
    'lastTransitionTime moves with the reason',
    'kubelet/status/conditions.ts',
    'before.status === made.status',
    'before.reason === made.reason',
  ),
  edit(
    'K-179',
    'a condition with another message is the same',
    'api/podStatus.ts',
    'a.type === b.type && a.status === b.status && a.reason === b.reason && a.message === b.message',
    'a.type === b.type && a.status === b.status && a.reason === b.reason',
  ),
  edit(
    'K-181',
    'API times are rounded to the nearest second',
    'world/wallClock.ts',
    'Math.floor((this.epoch + t) / MICROS_PER_SECOND)',
    'Math.round((this.epoch + t) / MICROS_PER_SECOND)',
  ),
  edit(
    'K-185',
    'a PATCH is sent even when it changes nothing',
    'kubelet/status/statusManager.ts',
    'if (!identicalStatus(get.answer.status, merged))',
    'if (get.answer !== null || identicalStatus(merged, merged))',
  ),
  edit(
    'K-187',
    'readiness gates do not hold Ready back',
    'kubelet/status/conditions.ts',
    'problems.length > 0',
    'problems.length > 9',
  ),
  edit(
    'K-189',
    'a terminal phase goes out while containers run',
    'kubelet/status/statusManager.ts',
    'endOf(get.answer.status, status, this.host.couldRun(pod))',
    'endOf(get.answer.status, status, !this.host.couldRun(pod))',
  ),
];
