import { micros, seconds } from '../../base/units.ts';
import type { PodTemplate } from '../../sim/api/workloadObjects.ts';
import type { WorkloadAction } from '../../sim/workloadsInput.ts';
import type { ParsedText } from '../manifest/parse.ts';
import type { Plan } from '../manifest/plans.ts';
import type { Workload } from '../manifest/workload.ts';
import { type ActionEntry, isWorkloadAction } from '../schema/action.ts';
import type { Settings } from '../settings.ts';
import { isManaged } from './managed.ts';
import { meantWorkload } from './placedPods.ts';
import { MANIFEST, type Revision } from './podLists.ts';
import { templateOf } from './templates.ts';
import { workloadObject } from './workloadObjects.ts';

/** A template that the workload has had, with the number that `kubectl rollout history` gives it now. */
interface Known {
  readonly revision: Revision;
  readonly template: PodTemplate;
  readonly number: number;
}

/** The patches of workloads, each with the whole spec that the patches before it have left. */
export function workloadActions(parsed: ParsedText, settings: Settings): readonly WorkloadAction[] {
  const entries = (parsed.scenario?.actions ?? []).filter(({ do: what }) => isWorkloadAction(what));
  const inOrder = entries.toSorted((a, b) => a.at - b.at);
  return parsed.workloads.flatMap((workload) => {
    const { plan } = workload;
    const own = inOrder.filter((entry) => meantWorkload(entry, workload));
    if (own.length === 0 || plan === null || !isManaged(workload, parsed)) return [];
    const history = new History(workload, plan, parsed, settings);
    return own.flatMap((entry) => history.take(entry));
  });
}

class History {
  private readonly workload: Workload;
  private readonly parsed: ParsedText;
  private readonly settings: Settings;
  private readonly resource: Extract<WorkloadAction, { readonly do: 'patch' }>['resource'];
  private spec: { readonly template: PodTemplate };
  /** The last one is in use. */
  private known: readonly Known[];
  private made = 1;

  constructor(workload: Workload, plan: Plan, parsed: ParsedText, settings: Settings) {
    this.workload = workload;
    this.parsed = parsed;
    this.settings = settings;
    const template = templateOf(parsed, settings, workload, MANIFEST);
    const { resource, object } = workloadObject(workload, plan, template, settings);
    this.resource = resource;
    this.spec = object.spec;
    this.known = [{ revision: MANIFEST, template, number: 1 }];
  }

  take(entry: ActionEntry): readonly WorkloadAction[] {
    switch (entry.do) {
      case 'rollOut':
        return this.rollOut(entry);
      case 'undo':
        return this.undo(entry);
      case 'scale':
        return this.patch(entry, { replicas: entry.replicas }, `scale: replicas ${entry.replicas}`);
      default:
        return this.patch(entry, { paused: entry.do === 'pause' }, entry.do);
    }
  }

  private rollOut(entry: ActionEntry): readonly WorkloadAction[] {
    const { changes } = this.current.revision;
    const revision = { number: ++this.made, changes: [...changes, entry] };
    const template = templateOf(this.parsed, this.settings, this.workload, revision);
    this.known = [...this.known, { revision, template, number: this.current.number + 1 }];
    return this.patch(entry, { template }, `rollOut: revision ${revision.number}`);
  }

  /** Back to a template that is known: it gets the next number (kubectl rollout undo). */
  private undo(entry: ActionEntry): readonly WorkloadAction[] {
    const { toRevision } = entry;
    const wanted =
      toRevision === undefined ? this.known.at(-2) : this.known.find(({ number }) => number === toRevision);
    if (!wanted || wanted === this.current) return [];
    const number = this.current.number + 1;
    this.known = [...this.known.filter((one) => one !== wanted), { ...wanted, number }];
    return this.patch(entry, { template: wanted.template }, `undo: back to ${wanted.template.identity}`);
  }

  private get current(): Known {
    const last = this.known.at(-1);
    if (!last) throw new Error('a workload without a template');
    return last;
  }

  private patch({ at }: ActionEntry, change: object, note: string): readonly WorkloadAction[] {
    const spec = { ...this.spec, ...change };
    this.spec = spec;
    return [{ at: micros(seconds(at)), do: 'patch', resource: this.resource, key: this.workload.path, spec, note }];
  }
}
