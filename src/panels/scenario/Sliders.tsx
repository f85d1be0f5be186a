import { memo, useMemo, useRef } from 'react';
import type { Issue } from '../../io/issue.ts';
import { allContainers } from '../../io/manifest/workload.ts';
import { type SliderField, type SliderSection, sliderFields } from '../../io/sliders.ts';
import { markSliderInput } from '../../state/paintTiming.ts';
import { FieldSlider } from '../../ui/FieldSlider.tsx';
import { useScenario, useStores, useStrings } from '../shared/index.ts';
import { IssueCount } from './IssueCount.tsx';

interface Section extends Pick<SliderField, 'section' | 'container' | 'probe'> {
  readonly id: string;
  readonly fields: readonly SliderField[];
}
interface Block {
  readonly workload: string;
  readonly sections: readonly Section[];
}

/** More errors than that stand in the text only. */
const MOST_SHOWN = 5;
/** A panel with the numbers of more workloads is of no use, and takes seconds to make. */
const MOST_WORKLOADS = 20;

/** Every number of every probe, the app's start and the Pod's own fields; of many workloads those of the first ones. */
export function Sliders() {
  const strings = useStrings();
  const model = useScenario((state) => state.read.model);
  const { blocks, more } = useMemo(() => blocksOf(sliderFields(model)), [model]);
  const many = {
    manyWorkloads: blocks.filter(({ workload }) => workload !== '').length > 1,
    manyContainers: model.workloads.some((workload) => allContainers(workload).length > 1),
  };
  const general = useScenario((state) => state.read.issues);
  return (
    <div className="sliders">
      {general
        .filter(({ setting, severity }) => setting === null && severity === 'error')
        .slice(0, MOST_SHOWN)
        .map((issue) => (
          <p key={`${issue.line}:${issue.column}:${issue.message}`} className="field-message error" role="alert">
            {strings.at(issue.line, issue.column)}: {issue.message}. {issue.remedy}
          </p>
        ))}
      {blocks.map(({ workload, sections }) =>
        sections.map((section) => (
          <SectionView
            key={section.id}
            section={section}
            title={titleOf(section, workload, many, strings)}
            open={isOpen(section, sections)}
          />
        )),
      )}
      {more > 0 && <p className="quiet padded">{strings.moreWorkloads(more)}</p>}
      <p className="padded">
        <IssueCount severity="note" />
      </p>
      <p className="slider-legend" aria-hidden="true">
        <span className="legend-default" /> {strings.defaultMark}
        <span className="legend-changed" /> {strings.changedMark}
      </p>
    </div>
  );
}

function titleOf(
  { section, container, probe }: Section,
  workload: string,
  { manyWorkloads, manyContainers }: { readonly manyWorkloads: boolean; readonly manyContainers: boolean },
  strings: ReturnType<typeof useStrings>,
): string {
  const name = probe === null ? strings.sliderSection[section] : strings.probe[probe];
  if (workload === '') return name;
  const workloadName = workload.slice(workload.indexOf('/') + 1);
  if (container === null) return manyWorkloads ? `${name} · ${workloadName}` : name;
  if (manyWorkloads) return `${name} · ${workloadName}/${container}`;
  return manyContainers ? `${name} · ${container}` : name;
}

/** Order of a panel: what people turn most comes first. */
const PROBE_ORDER = ['readiness', 'startup', 'liveness'] as const;
const OTHER_SECTIONS = ['rollout', 'pod', 'clients', 'cluster'] as const;

/** Those of the whole scenario have the workload '', and are always there. `more`: how many workloads are left out. */
function blocksOf(fields: readonly SliderField[]): { readonly blocks: readonly Block[]; readonly more: number } {
  const all = [...new Set(fields.map(({ workload }) => workload))];
  const named = all.filter((workload) => workload !== '');
  const left = new Set(named.slice(MOST_WORKLOADS));
  const shown = fields.filter(({ workload }) => !left.has(workload));
  const blocks = all
    .filter((workload) => !left.has(workload))
    .map((workload): Block => {
      const own = shown.filter((field) => field.workload === workload);
      const containers = [...new Set(own.flatMap(({ container }) => (container === null ? [] : [container])))];
      const sectionOf = (section: SliderSection, container: string | null, probe: SliderField['probe']): Section => ({
        id: [workload, section, container, probe].join('/'),
        section,
        container,
        probe,
        fields: own.filter(
          (field) => field.section === section && field.container === container && field.probe === probe,
        ),
      });
      const sections = [
        ...containers.flatMap((container) => [
          sectionOf('app', container, null),
          ...PROBE_ORDER.map((probe) => sectionOf('app', container, probe)),
        ]),
        ...OTHER_SECTIONS.map((section) => sectionOf(section, null, null)),
      ];
      return { workload, sections: sections.filter((candidate) => candidate.fields.length > 0) };
    });
  return { blocks, more: left.size };
}

/** What people look at first comes unfolded: the app and the first probe of a container. */
function isOpen({ id, section, container, probe }: Section, sections: readonly Section[]): boolean {
  if (section !== 'app') return false;
  return probe === null || sections.find((one) => one.container === container && one.probe !== null)?.id === id;
}

interface SectionViewProps {
  readonly section: Section;
  readonly title: string;
  /** Whether it comes unfolded. */
  readonly open: boolean;
}

function SectionView({ section, title, open }: SectionViewProps) {
  const [first] = section.fields;
  return (
    <details className="slider-section" open={open}>
      <summary>
        <h3>{title}</h3>
        {section.probe !== null && first !== undefined && <Handler path={first.path} />}
      </summary>
      {section.fields.map((field) => (
        <Field key={field.path} field={field} />
      ))}
    </details>
  );
}

/** `httpGet :8080/ready`, right of the probe's name. */
function Handler({ path }: { readonly path: string }) {
  const workloads = useScenario((state) => state.read.model.workloads);
  for (const workload of workloads) {
    for (const { name, probes } of allContainers(workload)) {
      for (const [probe, handler] of Object.entries(probes)) {
        if (handler !== null && path.startsWith(`${workload.path}/${name}/${probe}/`)) {
          return <span className="quiet">{`${handler.type} ${handler.target}`}</span>;
        }
      }
    }
  }
  return null;
}

/** Rendered again only when its own number or message changes: a drag re-renders one slider. */
function Field({ field }: { readonly field: SliderField }) {
  const issue = useScenario((state) => state.read.issues.find(({ setting }) => setting === field.path) ?? null);
  const key = JSON.stringify([field, issue]);
  const kept = useRef({ key, field, issue });
  if (kept.current.key !== key) kept.current = { key, field, issue };
  return <KeptField field={kept.current.field} issue={kept.current.issue} />;
}

const KeptField = memo(function KeptField({
  field,
  issue,
}: {
  readonly field: SliderField;
  readonly issue: Issue | null;
}) {
  const strings = useStrings();
  const { scenario } = useStores();
  const label = strings.field[field.label] ?? field.label;
  const words = useMemo(
    () => ({
      notSet: strings.notSet,
      changed: strings.changedMark,
      reset: strings.resetField(label),
      valueOf: strings.valueOf(label),
    }),
    [strings, label],
  );
  return (
    <FieldSlider
      label={label}
      unit={field.unit}
      value={field.value}
      defaultValue={field.default}
      min={field.scale.min}
      max={field.scale.max}
      step={field.scale.step}
      log={field.scale.log}
      ticks={field.scale.ticks}
      changed={field.from === 'slider'}
      origin={field.line === null ? strings.defaultMark : strings.fromLine(field.line)}
      message={issue === null ? null : { severity: issue.severity, text: messageOf(issue) }}
      words={words}
      onChange={(value) => {
        markSliderInput();
        scenario.getState().setOverride(field.path, value);
      }}
      onSettle={scenario.getState().settle}
      onReset={() => scenario.getState().resetOverride(field.path)}
    />
  );
});

const messageOf = ({ message, remedy }: Issue): string => (remedy === null ? message : `${message}. ${remedy}`);
