import { type CSSProperties, useEffect, useMemo, useRef } from 'react';
import { formatInstant } from '../../base/format.ts';
import type { Micros } from '../../base/units.ts';
import { type ObjectLine, objectLines } from '../../explain/objectLines.ts';
import type { ObjectVersion } from '../../sim/trace/reader.ts';
import type { FinishedRun } from '../../sim/trace/run.ts';
import { useStrings } from '../shared/index.ts';

interface VersionViewProps {
  readonly run: FinishedRun;
  readonly objectKey: string;
  /** Names the region. */
  readonly label: string;
  readonly at: Micros;
  /** Versions do not say when an object is removed. */
  readonly isThere: boolean;
}

/** The version of an object that holds at an instant, as YAML with what it changed. */
export function VersionView({ run: { reader }, objectKey, label, at, isThere }: VersionViewProps) {
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
        aria-label={label}
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

/** Scrolls to the first changed line below the metadata; resourceVersion changes each time and says little. */
/** Where an object's own part begins. */
const BODY = /^[~+-]?(status|spec|subsets|addressType):/;
function showFirstChange(box: HTMLElement | null): void {
  if (box === null) return;
  const lines = [...box.querySelectorAll<HTMLElement>('.object-line')];
  const status = lines.findIndex((line) => BODY.test(line.textContent ?? ''));
  const changed = lines.find((line, i) => i > status && !line.classList.contains('same'));
  const target = changed ?? lines[Math.max(0, status)];
  if (target !== undefined) box.scrollTop = target.offsetTop - box.offsetTop - 40;
}
