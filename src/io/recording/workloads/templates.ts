import type { WorkloadsRecording } from './recording.ts';

/** What a recording calls a workload's templates: `hashOf` is asked in the order in which the templates come into use. */
export class TemplateHashes {
  /** Hashes that are left, with the image of each, by workload (`Deployment/web`). */
  private readonly left = new Map<string, { readonly hash: string; readonly image: string }[]>();
  private readonly known = new Map<string, string>();

  constructor(recording: WorkloadsRecording) {
    const add = (name: string, set: Readonly<Record<string, unknown>>): void => {
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
      if (lane === 'api' && type === 'replicasets' && object)
        add(String(name), object as Readonly<Record<string, unknown>>);
    }
  }

  hashOf(workload: string, text: string, image: string): string | undefined {
    const key = `${workload} ${text}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const list = this.left.get(workload) ?? [];
    const place = list.findIndex((one) => one.image === image);
    if (place < 0) return undefined;
    const [found] = list.splice(place, 1);
    this.known.set(key, found?.hash ?? '');
    return found?.hash;
  }
}
