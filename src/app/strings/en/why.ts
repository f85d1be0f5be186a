/** The card that answers why, and the path. */
export const why = {
  why: {
    ask: 'Why?',
    title: 'Why',
    service: 'Service',
    chain: 'Links from the object to the first request',
    pin: 'Keep the question at this time',
    copy: 'Copy the answer',
    prove: 'Prove it in a cluster',
    node: 'Node',
    allNodes: 'All nodes',
    since: (time: string) => `since ${time}`,
    never: 'not in this run',
    trying: (done: number, all: number) => `Trying ${done} of ${all} changes`,
    try: 'Try',
    tryEdit: (edit: string) => `Try ${edit}`,
    report: 'Report an inaccuracy',
    reported: 'A report is on the clipboard, with the text of the scenario: paste it into an issue of the project.',
  },
  path: {
    title: 'Where the time goes',
    /** Null: not before the run ends. */
    joining: (from: string, to: string | null) =>
      `App can answer ${from} → ${to === null ? 'no request served yet' : `first request served ${to}`}`,
    /** `node` '': the slices are the end of the way. */
    joiningUnasked: (from: string, to: string | null, node: string) =>
      `App can answer ${from} → ${to === null ? 'not ' : ''}in the ${node === '' ? 'slices' : `rules of ${node}`} ${to ?? 'yet'}`,
    leaving: (cause: string, from: string, node: string, to: string | null) =>
      `${cause} ${from} → ${to === null ? `still in the rules of ${node}` : `out of the rules of ${node} ${to}`}`,
    cause: {
      delete: (pod: string) => `${pod} deleted`,
      readiness: (pod: string) => `${pod} fails readiness`,
      liveness: (pod: string) => `${pod} fails liveness`,
      startup: (pod: string) => `${pod} fails startup`,
      containerExit: (pod: string) => `${pod}: container exits`,
      condition: (pod: string) => `${pod}: readiness gate closes`,
      node: (pod: string) => `node of ${pod} falls silent`,
      marked: (pod: string) => `${pod} marked not Ready`,
    },
    couldHaveServed: (count: number) =>
      `${count} ${count === 1 ? 'request' : 'requests'} lost while the app could answer`,
    lost: (count: number) => `${count} ${count === 1 ? 'request' : 'requests'} to it lost`,
    noProbe: 'hops 1–4 do not apply: no probe decides a deletion',
    share: (percent: number) => `${percent}\u202f% of the path`,
    zoomTo: 'Show this hop',
    part: { waitForSync: 'Wait for the sync', writeRules: 'Write rules' },
    lastSent: 'Last request sent',
  },
};
