import type { WorkloadsRecording } from './recording.ts';

type Fields = Readonly<Record<string, unknown>>;
interface Named {
  readonly hash: string;
  /** Null: no Pod tells it. */
  readonly image: string | null;
}

/** What a recording calls a workload's templates: `hashOf` is asked in the order in which the templates come into use. */
export class TemplateHashes {
  /** Hashes that are left, with the image of each, by workload (`Deployment/web`). */
  private readonly left = new Map<string, Named[]>();
  private readonly known = new Map<string, string>();

  constructor(recording: WorkloadsRecording) {
    const add = (name: string, set: Fields): void => {
      const owner = String(set.owner ?? '');
      const [, workload = ''] = owner.split('/');
      if (!owner.startsWith('Deployment/')) return;
      const list = this.left.get(owner) ?? [];
      list.push({ hash: name.slice(workload.length + 1), image: String(set.image) });
      this.left.set(owner, list);
    };
    const sets = Object.entries(recording.initial.replicasets ?? {});
    for (const [name, set] of sets.sort(([, a], [, b]) => Number(a.revision) - Number(b.revision))) add(name, set);
    for (const event of recording.events) {
      const { lane, type, object, name } = event;
      if (lane === 'api' && type === 'replicasets' && object) add(String(name), object as Fields);
    }
    this.addRevisions(recording);
  }

  /** ControllerRevisions do not say of what they are; the Pods that have them tell their images. */
  private addRevisions({ scenario, initial, events }: WorkloadsRecording): void {
    const created = (resource: string): readonly (readonly [string, Fields])[] => [
      ...Object.entries(initial[resource] ?? {}),
      ...events.flatMap(({ lane, type, object, name }): [string, Fields][] =>
        lane === 'api' && type === resource && object ? [[String(name), object as Fields]] : [],
      ),
    ];
    const pods = created('pods');
    const manifests = [...scenario.manifests, ...scenario.world.actions.flatMap(({ object }) => object ?? [])];
    for (const { kind, metadata } of manifests.filter(
      ({ kind: one }) => one === 'StatefulSet' || one === 'DaemonSet',
    )) {
      const prefix = `${metadata.name}-`;
      const own = created('controllerrevisions').filter(([name]) => /^[a-z0-9]+$/.test(name.slice(prefix.length)));
      const named = own
        .filter(([name]) => name.startsWith(prefix))
        .map(([name]): Named => {
          const hash = name.slice(prefix.length);
          const pod = pods.find(
            ([, { owner, revision }]) =>
              owner === `${kind}/${metadata.name}` && (revision === name || revision === hash),
          );
          return { hash, image: pod ? String(pod[1].image) : null };
        });
      this.left.set(`${kind}/${metadata.name}`, named);
    }
  }

  hashOf(workload: string, text: string, image: string): string | undefined {
    const key = `${workload} ${text}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const list = this.left.get(workload) ?? [];
    const exact = list.findIndex((one) => one.image === image);
    const place = exact < 0 ? list.findIndex((one) => one.image === null) : exact;
    if (place < 0) return undefined;
    const [found] = list.splice(place, 1);
    this.known.set(key, found?.hash ?? '');
    return found?.hash;
  }
}
