import { type Micros, micros } from '../../base/units.ts';
import { EXAMPLES } from '../examples/examples.ts';
import { readScenario } from '../readScenario.ts';
import type { Override, Overrides } from '../settings.ts';
import { pack, unpack } from './codec.ts';
import { modelledObjects, textOfObjects } from './modelledFields.ts';
import { type Payload, payloadSchema } from './payload.ts';
import { LINK_VERSION, upgradePayload } from './upgrade.ts';

/** What a link carries: the scenario and where one looks. */
export interface LinkState {
  /** YAML as in the editor. A link made without `fullText` gives it back with its modelled fields only. */
  readonly text: string;
  readonly overrides: Overrides;
  readonly playhead: Micros | null;
  readonly window: { readonly from: Micros; readonly to: Micros } | null;
  readonly language: 'en' | 'zh' | null;
}
export interface LinkOptions {
  /** Carry the text as typed, with everything that is in it. */
  readonly fullText: boolean;
}
export interface LinkProblem {
  readonly kind: 'hasErrors' | 'unreadable' | 'newer' | 'damaged';
  readonly message: string;
  readonly remedy: string;
}
export type LinkResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: LinkProblem };

/** Characters of a fragment that every chat and mail programme passes on. The meter shows it; longer ones still work in most. */
export const LINK_LENGTH_LIMIT = 2_000;
/** Longer fragments are refused unread. */
const MOST_CHARACTERS = 1_000_000;
/** The one codec so far: JSON, deflate, checksum, base64url. */
const CODEC = 'd';

const refuse = (kind: LinkProblem['kind'], message: string, remedy: string): { ok: false; problem: LinkProblem } => ({
  ok: false,
  problem: { kind, message, remedy },
});

/** The fragment `#v1.d.…` of a state. Its length is the link's size for the meter. */
export function encodeLink(state: LinkState, options: LinkOptions): LinkResult<string> {
  const source = sourceOf(state.text, options);
  if (source === null) {
    return refuse(
      'hasErrors',
      'the text has errors, so that its modelled fields cannot be told from the rest',
      'Correct the errors, or include the full text.',
    );
  }
  const payload: Payload = {
    ...source,
    ...(state.overrides.length > 0 && { o: state.overrides.map(({ path, value }): [string, number] => [path, value]) }),
    ...(state.playhead !== null && { p: state.playhead }),
    ...(state.window !== null && { w: [state.window.from, state.window.to] as [number, number] }),
    ...(state.language !== null && { l: state.language }),
  };
  return { ok: true, value: `#v${LINK_VERSION}.${CODEC}.${pack(JSON.stringify(payload))}` };
}

function sourceOf(text: string, { fullText }: LinkOptions): Pick<Payload, 'e' | 'm' | 'y'> | null {
  const example = EXAMPLES.find((candidate) => candidate.text === text);
  if (example) return { e: example.id };
  if (fullText) return { y: text };
  return readScenario(text).issues.some(({ severity }) => severity === 'error') ? null : { m: modelledObjects(text) };
}

const DAMAGED = refuse(
  'damaged',
  'the link is damaged: a part of it is missing or was changed',
  'Copy the whole link again; long links are sometimes cut in messages.',
);
const NEWER = refuse(
  'newer',
  'the link was made by a newer version of this page',
  'Reload the page; if that does not help, ask for a link from this version.',
);

/** The state that a fragment carries. Never throws, whatever the fragment holds. */
export function decodeLink(fragment: string): LinkResult<LinkState> {
  const [, version = '', codec = '', body = ''] =
    /^#?v(\d{1,6})\.([^.]+)\.(.*)$/s.exec(fragment.slice(0, MOST_CHARACTERS + 1)) ?? [];
  if (version === '')
    return refuse(
      'unreadable',
      'this is no link of this page',
      'A link ends in #v1. and what follows; open the page without it to start anew.',
    );
  if (Number(version) > LINK_VERSION) return NEWER;
  if (Number(version) < 1 || codec !== CODEC || fragment.length > MOST_CHARACTERS) return DAMAGED;
  const json = unpack(body);
  return json === null ? DAMAGED : stateOf(json, Number(version));
}

function stateOf(json: string, version: number): LinkResult<LinkState> {
  try {
    const payload = payloadSchema.safeParse(upgradePayload(JSON.parse(json), version));
    if (!payload.success) return DAMAGED;
    const { e, m, y, o = [], p, w, l } = payload.data;
    const text = e === undefined ? (y ?? textOfObjects(m ?? [])) : EXAMPLES.find(({ id }) => id === e)?.text;
    if (text === undefined) return NEWER;
    const overrides = o.map(([path, value]): Override => ({ path, value }));
    const window = w ? { from: micros(w[0]), to: micros(w[1]) } : null;
    return {
      ok: true,
      value: { text, overrides, playhead: p === undefined ? null : micros(p), window, language: l ?? null },
    };
  } catch {
    return DAMAGED; // no JSON, or nested too deeply
  }
}
