import { describe, expect, it } from 'vitest';
import { parseText } from '../manifest/parse.ts';
import { addAction, type WrittenAction } from './addAction.ts';
import { actionIndex, moveAction, removeAction, setActionField } from './changeAction.ts';
import type { Edit } from './scenarioText.ts';

const POD = `apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  readinessGates: [{conditionType: lb}]
  containers: [{name: app, image: x}] # the app
`;
const scenario = (rest: string): string => `${POD}---\napiVersion: podtopool/v1\nkind: Scenario\n${rest}`;
const DELETE: WrittenAction = { do: 'deletePod', pod: 'web' };
const textOf = (edit: Edit): string => {
  if (!edit.ok) throw new Error(edit.problem);
  return edit.text;
};
const written = (text: string) => parseText(text).scenario?.actions?.map((entry) => `${entry.at} ${entry.do}`);

describe('addAction', () => {
  it.each<[name: string, before: string, after: string]>([
    ['without a Scenario document one is added', POD, scenario('actions:\n  - {at: 12.3s, do: deletePod, pod: web}\n')],
    [
      'a Scenario without actions gets them, comments stay',
      scenario('seed: 7 # lucky\n# the end\n'),
      scenario('seed: 7 # lucky\nactions:\n  - {at: 12.3s, do: deletePod, pod: web}\n# the end\n'),
    ],
    [
      'a block list gets one more, with its own indent',
      scenario('actions:\n- at: 1s # early\n  do: labelPod\n  pod: web\n# the end\nseed: 3\n'),
      scenario(
        'actions:\n- at: 1s # early\n  do: labelPod\n  pod: web\n- {at: 12.3s, do: deletePod, pod: web}\n# the end\nseed: 3\n',
      ),
    ],
    [
      'a flow list gets one more',
      scenario('actions: [{at: 1s, do: labelPod, pod: web} ]\n'),
      scenario('actions: [{at: 1s, do: labelPod, pod: web}, {at: 12.3s, do: deletePod, pod: web} ]\n'),
    ],
    [
      'an empty flow list gets its first',
      scenario('actions: []\nseed: 3\n'),
      scenario('actions: [{at: 12.3s, do: deletePod, pod: web}]\nseed: 3\n'),
    ],
    [
      'a key without a value gets a list',
      scenario('actions:\nseed: 3\n'),
      scenario('actions: [{at: 12.3s, do: deletePod, pod: web}]\nseed: 3\n'),
    ],
    [
      'a Scenario in flow style stays in flow style',
      `${POD}---\n{apiVersion: podtopool/v1, kind: Scenario}\n`,
      `${POD}---\n{apiVersion: podtopool/v1, kind: Scenario, actions: [{at: 12.3s, do: deletePod, pod: web}]}\n`,
    ],
    [
      'a Scenario before the manifest is found there',
      `kind: Scenario\napiVersion: podtopool/v1\nactions:\n  - at: 1s\n    do: labelPod\n    pod: web\n---\n${POD}`,
      `kind: Scenario\napiVersion: podtopool/v1\nactions:\n  - at: 1s\n    do: labelPod\n    pod: web\n  - {at: 12.3s, do: deletePod, pod: web}\n---\n${POD}`,
    ],
    [
      'a text without a last line break is no trouble',
      scenario('seed: 3').trimEnd(),
      scenario('seed: 3\nactions:\n  - {at: 12.3s, do: deletePod, pod: web}\n'),
    ],
  ])('%s', (_name, before, after) => {
    expect(textOf(addAction(before, 12_300_000, DELETE))).toBe(after);
  });

  it.each<[name: string, text: string]>([
    ['Windows line breaks', scenario('actions:\n  - {at: 1s, do: labelPod, pod: web}\n').replaceAll('\n', '\r\n')],
    ['a byte order mark', `\uFEFF${scenario('actions:\n  - {at: 1s, do: labelPod, pod: web}\n')}`],
    ['a comment below the list', scenario('actions:\n  - {at: 1s, do: labelPod, pod: web}\n  # more to come\n')],
    ['a flow list over several lines', scenario('actions: [\n  {at: 1s, do: labelPod, pod: web}, # first\n]\n')],
    ['an empty document at the end', `${scenario('actions: [{at: 1s, do: labelPod, pod: web}]\n')}---\n`],
  ])('copes with %s', (_name, text) => {
    expect(written(textOf(addAction(text, 12_300_000, DELETE)))).toEqual(['1 labelPod', '12.3 deletePod']);
    expect(written(textOf(moveAction(text, 0, 2_000_000)))).toEqual(['2 labelPod']);
  });

  it.each<[action: WrittenAction]>([
    [{ do: 'restartKubelet', down: '10s' }],
    [{ do: 'cutApi', lasts: '30s' }],
    [{ do: 'patchCondition', pod: 'web', condition: 'lb', status: 'True' }],
  ])('writes %o so that it is read again', (action) => {
    const [entry] = parseText(textOf(addAction(POD, 1, action))).scenario?.actions ?? [];
    expect(entry).toMatchObject({ at: 0.000001, do: action.do });
  });

  it.each<[name: string, text: string, problem: string]>([
    ['refuses a text with errors', `${POD}---\nkind: Scenario\nseed: no\n`, 'hasErrors'],
    [
      'refuses a Scenario in a List, which it does not edit',
      `apiVersion: v1\nkind: List\nitems:\n  - {apiVersion: podtopool/v1, kind: Scenario, seed: 3}\n---\n${POD}`,
      'unclear',
    ],
  ])('%s', (_name, text, problem) => {
    expect(addAction(text, 0, DELETE)).toEqual({ ok: false, problem });
  });
});

describe('moveAction', () => {
  const text = scenario(
    'actions: # what happens\n  - {at: 1s, do: labelPod, pod: web} # first\n  - at: "2s"\n    do: deletePod\n    pod: web\n',
  );
  it('changes the instant of one entry and nothing else', () => {
    expect(textOf(moveAction(text, 0, 1_500_000))).toBe(text.replace('at: 1s', 'at: 1.5s'));
    expect(textOf(moveAction(text, 1, 3_000_001))).toBe(text.replace('"2s"', '3.000001s'));
  });
  it('refuses an entry that is not there', () => {
    expect(moveAction(text, 2, 0)).toEqual({ ok: false, problem: 'unclear' });
  });
  it('leaves a list that reads as before but for the instant', () => {
    expect(written(textOf(moveAction(text, 0, 5_000_000)))).toEqual(['5 labelPod', '2 deletePod']);
  });
});

describe('removeAction', () => {
  it.each<[name: string, before: string, index: number, after: string]>([
    [
      'a line of a block list, with the comment on that line',
      'actions:\n  - {at: 1s, do: labelPod, pod: web} # first\n  # then\n  - {at: 2s, do: deletePod, pod: web}\n',
      0,
      'actions:\n  # then\n  - {at: 2s, do: deletePod, pod: web}\n',
    ],
    [
      'the lines of a block entry',
      'actions:\n- at: 1s\n  do: labelPod\n  pod: web\n- at: 2s # gone\n  do: deletePod\n  pod: web\nseed: 3\n',
      1,
      'actions:\n- at: 1s\n  do: labelPod\n  pod: web\nseed: 3\n',
    ],
    [
      'an entry whose dash stands alone',
      'actions:\n  -\n    at: 1s\n    do: labelPod\n    pod: web\n  - {at: 2s, do: deletePod, pod: web}\n',
      0,
      'actions:\n  - {at: 2s, do: deletePod, pod: web}\n',
    ],
    [
      'the first of a flow list',
      'actions: [{at: 1s, do: labelPod, pod: web}, {at: 2s, do: deletePod, pod: web}]\n',
      0,
      'actions: [{at: 2s, do: deletePod, pod: web}]\n',
    ],
    [
      'the last of a flow list, comments before it stay',
      'actions: [\n  {at: 1s, do: labelPod, pod: web}, # first\n  {at: 2s, do: deletePod, pod: web}\n]\n',
      1,
      'actions: [\n  {at: 1s, do: labelPod, pod: web} # first\n  \n]\n',
    ],
    ['the only one', 'actions: # none\n  - {at: 1s, do: labelPod, pod: web}\n', 0, 'actions: # none\n  []\n'],
  ])('takes out %s', (_name, before, index, after) => {
    expect(textOf(removeAction(scenario(before), index))).toBe(scenario(after));
  });
  it('copes with Windows line breaks', () => {
    const text = scenario('actions:\n  - {at: 1s, do: labelPod, pod: web}\n  - {at: 2s, do: deletePod, pod: web}\n');
    expect(written(textOf(removeAction(text.replaceAll('\n', '\r\n'), 0)))).toEqual(['2 deletePod']);
  });
  it('refuses an entry that is not there', () => {
    expect(removeAction(scenario('actions: []\n'), 0)).toEqual({ ok: false, problem: 'unclear' });
  });
});

describe('setActionField', () => {
  const flowText = scenario('actions: [{at: 1s, do: deletePod, pod: web}] # all\n');
  const blockText = scenario(
    'actions:\n  - at: 1s\n    do: deletePod # soon\n    pod: web\n    graceSeconds: 5\nseed: 3\n',
  );
  it.each<[name: string, before: string, field: string, value: string, part: string]>([
    ['changes a field', blockText, 'graceSeconds', '9', '    pod: web\n    graceSeconds: 9\nseed'],
    [
      'adds one to a flow map',
      flowText,
      'graceSeconds',
      '0',
      '{at: 1s, do: deletePod, pod: web, graceSeconds: 0}] # all',
    ],
    [
      'adds one to a block map',
      scenario('actions:\n  - at: 1s\n    do: deletePod\n    pod: web\nseed: 3\n'),
      'graceSeconds',
      '2',
      '    pod: web\n    graceSeconds: 2\nseed',
    ],
    ['takes one out', blockText, 'graceSeconds', '', '    pod: web\nseed'],
    ['takes a bare number as seconds', flowText, 'at', '2.5', '{at: 2.5, do'],
    ['takes a duration', flowText, 'at', '1m30s', '{at: 1m30s, do'],
  ])('%s', (_name, before, field, value, part) => {
    expect(textOf(setActionField(before, 0, field, value))).toContain(part);
  });
  it('quotes a word that YAML would take for something else', () => {
    const text = scenario("actions: [{at: 1s, do: patchCondition, pod: web, condition: lb, status: 'True'}]\n");
    const [entry] = parseText(textOf(setActionField(text, 0, 'status', 'False'))).scenario?.actions ?? [];
    expect(entry).toMatchObject({ status: 'False' });
  });
  it.each([
    ['at', 'soon', 'this is no length of time'],
    ['graceSeconds', '-1', 'graceSeconds must be 0 or more, not -1'],
    ['at', '', 'this is no length of time'],
  ])('says why %s cannot be "%s"', (field, value, message) => {
    expect(setActionField(flowText, 0, field, value)).toMatchObject({ problem: 'invalid', complaint: { message } });
  });
});

describe('actionIndex', () => {
  const text = scenario('actions: [{at: 1s, do: labelPod, pod: web}, {at: 1000ms, do: deletePod, pod: web}]\n');
  it.each<[at: number, what: string, index: number]>([
    [1_000_000, 'deletePod', 1],
    [1_000_000, 'labelPod', 0],
    [1_000_001, 'labelPod', -1],
  ])('finds what happens at %f µs by %s', (at, what, index) => {
    expect(actionIndex(text, at, what)).toBe(index);
  });
});
