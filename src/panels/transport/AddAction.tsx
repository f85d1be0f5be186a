import { Plus } from 'lucide-react';
import type { Micros } from '../../base/units.ts';
import { stateAt } from '../../explain/stateAt.ts';
import type { WrittenAction } from '../../io/edit/addAction.ts';
import type { PodInput } from '../../sim/scenario.ts';
import { conditionOf } from '../../sim/trace/podObject.ts';
import { addAtPlayhead, usePod, useScenario, useStores, useStrings } from '../shared/index.ts';

const DOWN_SECONDS = 10;
const CUT_SECONDS = 30;

type Offer = readonly [text: string, action: () => WrittenAction];

/** A menu of what can be made to happen at the playhead; it goes into the text. */
export function AddAction() {
  const stores = useStores();
  const strings = useStrings();
  const pod = usePod();
  const nodes = useScenario((state) => state.run?.scenario.nodes ?? null);
  if (pod === null || nodes === null) return null;
  const name = writtenName(pod);
  const where = nodes.length > 1 ? { node: pod.node } : {};
  const { add } = strings;
  const [first, ...others] = pod.containers.map((container) => container.name);
  const offers: readonly Offer[] = [
    [add.crash(first ?? ''), () => ({ do: 'crash', pod: name })],
    ...others.map((container): Offer => [add.crash(container), () => ({ do: 'crash', pod: name, container })]),
    [add.deletePod(pod.name), () => ({ do: 'deletePod', pod: name })],
    ...(pod.isStatic ? [] : [[add.evictPod(pod.name), () => ({ do: 'evictPod', pod: name })] satisfies Offer]),
    ...pod.readinessGates.map((type): Offer => {
      return [add.flip(type), () => ({ do: 'patchCondition', pod: name, condition: type, status: flipped(type) })];
    }),
    [add.restartKubelet(pod.node, DOWN_SECONDS), () => ({ do: 'restartKubelet', ...where, down: `${DOWN_SECONDS}s` })],
    [add.cutApi(pod.node, CUT_SECONDS), () => ({ do: 'cutApi', ...where, lasts: `${CUT_SECONDS}s` })],
  ];

  /** The other status than the API has at the playhead. */
  function flipped(type: string): 'True' | 'False' {
    const { run } = stores.scenario.getState();
    if (run === null || pod === null) return 'True';
    const { api } = stateAt(run, pod, stores.playback.getState().playhead as Micros);
    return api !== null && conditionOf(api.status, type)?.status === 'True' ? 'False' : 'True';
  }

  return (
    <>
      <button
        type="button"
        className="button ghost add-action"
        popoverTarget="add-action"
        aria-label={add.title}
        title={add.title}
      >
        <Plus size={14} aria-hidden="true" />
        <span className="text">{add.title}</span>
      </button>
      <div id="add-action" popover="auto" className="menu add-menu">
        {offers.map(([text, action]) => (
          <button
            key={text}
            type="button"
            className="menu-item"
            popoverTarget="add-action"
            popoverTargetAction="hide"
            onClick={() => addAtPlayhead(stores, action())}
          >
            {text}
          </button>
        ))}
      </div>
    </>
  );
}

/** The name where it is the same in each run, such as `web` or `web-0`; else the identity. */
function writtenName({ identity, name }: PodInput): string {
  const [, own = '', workload = '', ordinal] = /^[^/]*\/(([^#]*)(?:#[^/]*\/(.*))?)$/.exec(identity) ?? [];
  return name === own || name === `${workload}-${ordinal}` ? name : identity;
}
