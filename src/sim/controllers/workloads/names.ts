import { stableUid, stableWord } from '../../api/stableNames.ts';
import type { Draws } from '../../kernel/draws.ts';
import type { Scheduler } from '../../kernel/kernel.ts';
import type { PodInput } from '../../scenario.ts';
import { type GivenIdentity, namesOf, type WorkloadsInput } from '../../workloadsInput.ts';

/** Alphabet of generated suffixes (apimachinery pkg/util/rand). */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;

/**
 * Gives Pods their generated parts: names and UIDs, as given or drawn, or made of an identity without any generated part:
 * `namespace/workload#revision/ordinal`, with `~2` for the second Pod of a StatefulSet in one place.
 */
export class PodNames {
  private readonly given: GivenIdentity;
  private readonly special: WorkloadsInput['special'];
  private readonly draws: Draws;
  private readonly kernel: Scheduler;
  /** How many names of a kind, and UIDs of a name, have been given. */
  private readonly used = new Map<string, number>();

  constructor({ given, special }: Pick<WorkloadsInput, 'given' | 'special'>, draws: Draws, kernel: Scheduler) {
    this.given = given;
    this.special = special;
    this.draws = draws;
    this.kernel = kernel;
  }

  /** The Pod with a name made from `generateName`, and its identity and UID with it. */
  podOf(input: PodInput, generateName: string): PodInput {
    if (isStable(input)) {
      const identity = `${input.identity}/${this.next(`identity/${input.identity}`)}`;
      return this.stable(input, identity, generateName + stableWord(identity, SUFFIX_LENGTH));
    }
    const kind = namesOf(generateName, input.target);
    const given = this.given.names[kind]?.[this.next(`name/${kind}`)];
    return this.named(input, given ?? generateName + this.suffix(generateName));
  }

  /** The Pod under a name: one with an ordinal of its own, which those before it under that name had too. */
  named(input: PodInput, name: string): PodInput {
    if (isStable(input)) {
      const place = `${input.identity}/${name.slice(name.lastIndexOf('-') + 1)}`;
      const before = this.next(`identity/${place}`);
      return this.stable(input, before === 0 ? place : `${place}~${before + 1}`, name);
    }
    const identity = `${input.namespace}/${name}`;
    const given = this.given.uids[name]?.[this.next(`uid/${name}`)];
    return { ...input, name, identity, uid: given ?? `${identity}-${this.suffix(`uid/${identity}`)}` };
  }

  private stable(input: PodInput, identity: string, name: string): PodInput {
    return { ...input, ...this.special[identity], identity, name, uid: stableUid(identity) };
  }

  private next(what: string): number {
    const index = this.used.get(what) ?? 0;
    this.used.set(what, index + 1);
    return index;
  }

  private suffix(what: string): string {
    const space = ALPHABET.length ** SUFFIX_LENGTH;
    let rest = this.draws.number(`apiserver/generateName/pods/${what}`, this.kernel.now, (u) => Math.floor(u * space));
    let text = '';
    for (let i = 0; i < SUFFIX_LENGTH; i++, rest = Math.floor(rest / ALPHABET.length))
      text += ALPHABET[rest % ALPHABET.length];
    return text;
  }
}

/** Whether a Pod's identity begins with that of its template: `#` stands in no name. */
const isStable = ({ identity }: PodInput): boolean => identity.includes('#');
