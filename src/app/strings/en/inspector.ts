/** State and objects at the playhead. */
export const inspector = {
  who: {
    title: (pod: string) => `Who sees ${pod} as ready`,
    since: 'since',
    app: 'App process',
    worker: { startup: 'Startup worker', readiness: 'Readiness worker', liveness: 'Liveness worker' } as Readonly<
      Record<string, string>
    >,
    kubelet: 'Kubelet status',
    api: 'Pod Ready in API',
    slice: 'EndpointSlice',
    rules: 'kube-proxy rules',
    request: 'Client',
    outcome: {
      '': 'no request yet',
      served: 'served',
      errorAnswer: 'gets an error',
      wrongPod: 'meets a wrong Pod',
      refused: 'refused',
      rejected: 'rejected, no backend',
      timeout: 'no answer',
      reset: 'reset',
      noAddress: 'no address',
      notSent: 'not sent here',
    } as Readonly<Record<string, string>>,
    deleted: 'deleted',
    nodes: (share: string) => `${share} nodes`,
    noResult: 'no result',
    nothing: 'none',
    versionReady: (version: string, ready: boolean) => `v${version} · ${ready ? 'ready' : 'not ready'}`,
    missing: 'First missing link.',
    lastToLetGo: 'Last to let go.',
    prove: 'Prove it in a cluster:',
    yes: 'yes',
    no: 'no',
    unknown: 'not known',
    chain: 'Who sees the Pod as ready',
    short: {
      app: 'App',
      startup: 'Startup',
      readiness: 'Readiness',
      kubelet: 'kubelet',
      api: 'API',
      slice: 'Slice',
      rules: 'Rules',
      request: 'Client',
    } as Readonly<Record<string, string>>,
  },
  lost: {
    title: 'Lost requests',
    share: (lost: number, all: number) => `${lost} of ${all}`,
    earlier: (count: number) => `${count} earlier`,
    later: (count: number) => `${count} later`,
  },
  result: { success: 'Success', failure: 'Failure', unknown: 'Unknown', error: 'Error' } as Readonly<
    Record<string, string>
  >,
  selectedEvent: 'Selected event',
  causes: 'Caused by',
  effects: 'Effects',
  armed: 'Timer armed by',
  none: 'none',
  rule: (number: string) => `Rule ${number}`,
  source: 'Source',
  deselect: 'Deselect (Esc)',
  object: { title: 'Object at the playhead', api: 'Pod in API', kubelet: 'Kubelet status' },
  service: {
    title: 'Service at the playhead',
    choose: 'Object or rules',
    rules: (proxy: string) => `Rules of ${proxy}`,
    noRules: 'No rules are in force yet.',
    silent: 'nobody answers',
    pending: (since: string, until: string) => `A change waits since ${since}; it is written from ${until} on.`,
    affinity: (seconds: number) => `ClientIP affinity ${seconds} s`,
    ranges: (ranges: string) => `only from ${ranges}; others are dropped`,
    fromNode: (andItsPods: boolean) => `From the node itself${andItsPods ? ' and its Pods' : ''}:`,
    verdict: {
      dnat: 'No backend',
      reject: 'REJECT: new connections are refused at once',
      drop: 'DROP: new connections get no answer',
      noRealServer: 'No real server: new connections are refused at once',
    } as Readonly<Record<string, string>>,
  },
  noObject: 'There is no such object at this time.',
  changed: (count: number, time: string) =>
    count === 0
      ? `No field changed at ${time}`
      : count === 1
        ? `1 field changed at ${time}`
        : `${count} fields changed at ${time}`,
  containers: 'Container statuses',
  conditions: 'Conditions',
  ready: 'ready',
  notReady: 'not ready',
  started: 'started',
  restarts: (count: number) => (count === 1 ? '1 restart' : `${count} restarts`),
  /** Null: it is not tried again in this run. */
  nextTry: (notBefore: string, inRun: string | null) =>
    `next try not before ${notBefore}; ${inRun === null ? 'none in this run' : `in this run at ${inRun}`}`,
  sent: {
    patched: (at: string, committed: string) =>
      `Sent by the PATCH at ${at}, which the API server stores at ${committed}.`,
    getOnly: (at: string) => `GET at ${at} only: the API has all of it already, so no PATCH is sent.`,
    failed: (at: string, error: string) => `Tried at ${at}, not stored: ${error}.`,
    skipped: (version: number, at: string) => `Not sent itself: the newer v${version} went at ${at}.`,
    notSent: 'Not sent before the run ends.',
  },
  chart: {
    title: 'Probe worker',
    choose: 'Probe worker',
    none: 'This Pod has no probes.',
    notYet: 'The worker does not exist yet.',
    next: (time: string) => `next turn ${time}`,
    noNext: 'no further turn',
    lastResult: (result: string) => `last result ${result}`,
    label: (state: string) => `State machine of the probe worker, now in ${state}`,
  },
};
