import type { World } from './world.ts';

/** A Pod of a recording. */
export interface Incarnation {
  readonly pod: string;
  readonly uid: string;
  /** `web-0`; of a later Pod of the same name, such as a StatefulSet makes, `web-0#2`. What follows the namespace in its identity. */
  readonly key: string;
  /** When its first sandbox began, and that of the next Pod of its name, µs since the Unix epoch. */
  readonly begunUs: number;
  readonly endUs: number;
}

/** The Pods that ever had a sandbox, as they came. */
export function incarnations({ pods }: World): readonly Incarnation[] {
  const begun = pods
    .flatMap(({ pod, uid, sandboxUs: [at] }) => (at === undefined ? [] : [{ pod, uid, begunUs: at }]))
    .toSorted((a, b) => a.begunUs - b.begunUs);
  return begun.map((one, i) => {
    const number = begun.slice(0, i).filter(({ pod }) => pod === one.pod).length + 1;
    const next = begun.slice(i + 1).find(({ pod }) => pod === one.pod);
    const key = number === 1 ? one.pod : `${one.pod}#${number}`;
    return { ...one, key, endUs: next?.begunUs ?? Number.POSITIVE_INFINITY };
  });
}

/** The key of the Pod that has a name at an instant, µs since the Unix epoch; the name itself when there is none. */
export const keyAt = (all: readonly Incarnation[], name: string, atUs: number): string =>
  (all.findLast(({ pod, begunUs }) => pod === name && begunUs <= atUs) ?? all.find(({ pod }) => pod === name))?.key ??
  name;

/** The Pod's name in an identity. */
export const podNameOf = (identity: string): string => /\/([^#]*)/.exec(identity)?.[1] ?? '';
