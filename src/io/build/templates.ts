import { stableWord } from '../../sim/api/stableNames.ts';
import type { PodTemplate } from '../../sim/api/workloadObjects.ts';
import type { ParsedText } from '../manifest/parse.ts';
import type { Workload } from '../manifest/workload.ts';
import type { Settings } from '../settings.ts';
import { podLists, type Revision } from './podLists.ts';
import { podSpecOf, sharedFaults } from './podSpec.ts';

/** The template of a workload in one revision. */
export function templateOf(
  parsed: ParsedText,
  settings: Settings,
  workload: Workload,
  revision: Revision,
): PodTemplate {
  const identity = `${workload.path}#${revision.number}`;
  return {
    identity,
    text: identity,
    hash: stableWord(identity, 10),
    labels: workload.labels,
    pod: {
      ...podSpecOf(workload, settings, revision),
      ...podLists(parsed, settings, workload, revision, []),
      faults: sharedFaults(parsed.scenario?.faults ?? [], workload),
    },
  };
}
