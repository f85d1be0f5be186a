import { Tabs } from '@base-ui/react/tabs';
import { type CSSProperties, useEffect, useMemo, useRef, useState } from 'react';
import { formatInstant } from '../../base/format.ts';
import { type ObjectLine, objectLines } from '../../explain/objectLines.ts';
import type { PodState } from '../../explain/stateAt.ts';
import type { EventKind } from '../../sim/trace/kinds.ts';
import { apiPodKey, statusPodKey } from '../../sim/trace/podObject.ts';
import type { ObjectVersion } from '../../sim/trace/reader.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import { useStrings, useView } from '../shared/index.ts';

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
        <VersionView run={run} objectKey={apiPodKey(identity)} at={state.at} isThere={state.api !== null} />
      </Tabs.Panel>
      <Tabs.Panel value="kubelet">
        <VersionView run={run} objectKey={statusPodKey(identity)} at={state.at} isThere={true} />
      </Tabs.Panel>
    </Tabs.Root>
  );
}

interface VersionViewProps {
  readonly run: FinishedRun;
  readonly objectKey: string;
  readonly at: PodState['at'];
  /** Versions do not say when an object is removed. */
  readonly isThere: boolean;
}

function VersionView({ run: { reader }, objectKey, at, isThere }: VersionViewProps) {
  const strings = useStrings();
  const versions = reader.versionsOf(objectKey);
  const index = versions.findLastIndex(({ since }) => since <= at);
  const now: ObjectVersion | undefined = isThere ? versions[index] : undefined;
  const before: ObjectVersion | undefined = versions[index - 1];
  const lines = useMemo(
    () =>
      now === undefined
        ? []
        : objectLines(reader.versionText(now.index), before === undefined ? null : reader.versionText(before.index)),
    [reader, now, before],
  );
  const box = useRef<HTMLElement | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is another place to look at
  useEffect(() => showFirstChange(box.current), [now]);
  if (now === undefined) return <p className="quiet padded">{strings.noObject}</p>;
  const changes = lines.filter(({ mark }) => mark !== 'same').length;
  return (
    <>
      <section
        ref={box}
        className="object-yaml"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={strings.object.title}
      >
        <pre>
          {lines.map((line, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
            <Line key={i} line={line} />
          ))}
        </pre>
      </section>
      <p className="object-foot">
        <b>~</b> {strings.changed(changes, formatInstant(now.since))}
      </p>
    </>
  );
}

const MARKS: Readonly<Record<ObjectLine['mark'], string>> = { same: '', changed: '~', added: '+', removed: '-' };

function Line({ line: { mark, indent, dash, key, value, was } }: { readonly line: ObjectLine }) {
  const style = { '--indent': `${2 * (dash ? indent - 1 : indent)}ch` } as CSSProperties;
  const name = `${dash ? '- ' : ''}${key === '' ? '' : `${key}:`}`;
  const isRemoved = mark === 'removed';
  return (
    <span className={`object-line ${mark}`} style={style}>
      <span className="object-mark">{MARKS[mark]}</span>
      {isRemoved ? <del>{name}</del> : name}
      {value !== null && <Value isOld={isRemoved}>{value}</Value>}
      {was !== null && <Value isOld={true}>{was}</Value>}
      {'\n'}
    </span>
  );
}

/** Goes to the next line as a whole where it does not fit. */
function Value({ isOld, children }: { readonly isOld: boolean; readonly children: string }) {
  return (
    <> {isOld ? <del className="object-value">{children}</del> : <span className="object-value">{children}</span>}</>
  );
}

/** Scrolls to the first changed line of the status; resourceVersion changes each time and says little. */
function showFirstChange(box: HTMLElement | null): void {
  if (box === null) return;
  const lines = [...box.querySelectorAll<HTMLElement>('.object-line')];
  const status = lines.findIndex((line) => line.textContent?.startsWith('status:'));
  const changed = lines.find((line, i) => i > status && !line.classList.contains('same'));
  const target = changed ?? lines[Math.max(0, status)];
  if (target !== undefined) box.scrollTop = target.offsetTop - box.offsetTop - 40;
}
