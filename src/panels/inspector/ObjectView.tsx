import { Tabs } from '@base-ui/react/tabs';
import { useEffect, useState } from 'react';
import type { PodState } from '../../explain/stateAt.ts';
import type { EventKind } from '../../sim/trace/kinds.ts';
import { apiPodKey, statusPodKey } from '../../sim/trace/podObject.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import { useStrings, useView } from '../shared/index.ts';
import { VersionView } from './VersionView.tsx';

type ObjectTab = 'api' | 'kubelet';
/** An event that makes a version of one of the two shows that one. */
const TAB_OF: Readonly<Partial<Record<EventKind, ObjectTab>>> = { statusSet: 'kubelet', apiRequest: 'api' };

/** The Pod as the API server and the kubelet have it, with what the last change touched. */
export function ObjectView({ run, state }: { readonly run: FinishedRun; readonly state: PodState }) {
  const { object } = useStrings();
  const { identity } = state.pod;
  const [tab, setTab] = useState<ObjectTab>('api');
  const selected = useView((view) => view.selected);
  useEffect(() => {
    const wanted = selected === null ? undefined : TAB_OF[run.reader.kindOf(selected.row)];
    if (wanted !== undefined) setTab(wanted);
  }, [run, selected]);
  return (
    <Tabs.Root value={tab} onValueChange={setTab} className="inspector-part object">
      <Tabs.List className="tabs" aria-label={object.title}>
        <Tabs.Tab value="api" className="tab">
          {object.api}
        </Tabs.Tab>
        <Tabs.Tab value="kubelet" className="tab">
          {object.kubelet}
        </Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="api">
        <VersionView
          run={run}
          objectKey={apiPodKey(identity)}
          label={object.title}
          at={state.at}
          isThere={state.api !== null}
        />
      </Tabs.Panel>
      <Tabs.Panel value="kubelet">
        <VersionView run={run} objectKey={statusPodKey(identity)} label={object.title} at={state.at} isThere={true} />
      </Tabs.Panel>
    </Tabs.Root>
  );
}
