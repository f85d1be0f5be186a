/** `work` one at a time: of those that come meanwhile only the newest is done, the others get null. */
export function newestOnly<A, R>(work: (task: A) => Promise<R>): (task: A) => Promise<R | null> {
  let atWork: Promise<unknown> = Promise.resolve();
  let newest = 0;
  return async (task) => {
    const own = ++newest;
    const before = atWork;
    const done = before.then(() => (own === newest ? work(task) : null));
    atWork = done.catch(() => {}); // whoever asked hears of it
    return done;
  };
}
