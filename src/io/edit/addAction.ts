/** Adds actions to the text of a scenario. */
import { isMap, isScalar, isSeq, type YAMLMap } from 'yaml';
import { yamlText } from '../yaml/write.ts';
import { afterLine, type Edit, edited, indentOf, intoFlow, spliced } from './scenarioText.ts';

/** An action as it is written into the text; lengths are durations such as `10s`. */
export type WrittenAction =
  | { readonly do: 'deletePod' | 'evictPod'; readonly pod: string }
  | { readonly do: 'crash'; readonly pod: string; readonly container?: string }
  | { readonly do: 'restartKubelet'; readonly node?: string; readonly down: string }
  | { readonly do: 'cutApi'; readonly node?: string; readonly lasts: string }
  | {
      readonly do: 'patchCondition';
      readonly pod: string;
      readonly condition: string;
      readonly status: 'True' | 'False';
    };

/** Adds an action at `at` (µs) to the Scenario document; where the text has none, a new document at its end. */
export function addAction(text: string, at: number, action: WrittenAction): Edit {
  const entry = flow({ at: durationOf(at), ...action });
  return edited(
    text,
    (document) => {
      if (document === null) return `${text.trimEnd()}\n---\n${NEW_DOCUMENT}actions:\n  - ${entry}\n`;
      return isMap(document.contents) ? withEntry(text, document.contents, entry) : null;
    },
    (before, after) => after.length === before.length + 1,
  );
}

const NEW_DOCUMENT = 'apiVersion: podtopool/v1\nkind: Scenario\n';
/** `12.3s` for so many µs. */
export const durationOf = (at: number): string => `${at / 1e6}s`;
const flow = (value: object): string =>
  yamlText(value, { collectionStyle: 'flow', flowCollectionPadding: false, lineWidth: 0 }).trim();

function withEntry(text: string, scenario: YAMLMap, entry: string): string | null {
  const pair = scenario.items.find(({ key }) => isScalar(key) && key.value === 'actions');
  if (pair === undefined) return withList(text, scenario, entry);
  const { value } = pair;
  if (isScalar(value) && value.value === null) return spliced(text, value, ` [${entry}]`);
  if (!isSeq(value)) return null;
  if (value.flow) return intoFlow(text, value, entry);
  return afterLine(text, value, `${indentOf(text, value)}- ${entry}`);
}

function withList(text: string, scenario: YAMLMap, entry: string): string | null {
  if (scenario.flow) return intoFlow(text, scenario, `actions: [${entry}]`);
  const indent = indentOf(text, scenario);
  return afterLine(text, scenario, `${indent}actions:\n${indent}  - ${entry}`);
}
