import type { ApiPod } from '../api/apiPod.ts';
import { isTerminal } from '../api/podStatus.ts';

/** Of one node: places that Pods take, those that go included; Pods that count for the scheduler's choice, all and by owner. */
interface Counts {
  places: number;
  all: number;
  readonly byOwner: Map<string, number>;
}
/** What one Pod adds. */
interface Share {
  readonly node: string;
  readonly counts: boolean;
  readonly owner: string;
}

/** Pods of nodes, kept up to date Pod by Pod: a scheduler that counted all of them anew for each would grow with their square. */
export class NodeCounts {
  private readonly byNode = new Map<string, Counts>();
  private readonly shares = new Map<string, Share>();

  /** The Pod `key` is so, and on that node or about to be; null: it is gone. One that has ended takes no place. */
  update(key: string, pod: ApiPod | null, node: string): void {
    const before = this.shares.get(key);
    if (before) this.add(before, -1);
    this.shares.delete(key);
    if (!pod || isTerminal(pod.status.phase)) return;
    const share = { node, counts: pod.deletionTimestamp === null, owner: ownerOf(pod) };
    this.shares.set(key, share);
    this.add(share, 1);
  }

  places(node: string): number {
    return this.byNode.get(node)?.places ?? 0;
  }

  /** Pods that are not being deleted. */
  all(node: string): number {
    return this.byNode.get(node)?.all ?? 0;
  }

  /** Those of them with the same owner as `pod`. */
  own(node: string, pod: ApiPod): number {
    return this.byNode.get(node)?.byOwner.get(ownerOf(pod)) ?? 0;
  }

  private add({ node, counts, owner }: Share, step: 1 | -1): void {
    const own = this.byNode.get(node) ?? { places: 0, all: 0, byOwner: new Map<string, number>() };
    this.byNode.set(node, own);
    own.places += step;
    if (!counts) return;
    own.all += step;
    own.byOwner.set(owner, (own.byOwner.get(owner) ?? 0) + step);
  }
}

/** Pods of one owner are spread; a bare Pod is its own. */
const ownerOf = ({ input }: ApiPod): string => input.owner?.uid ?? input.identity;
