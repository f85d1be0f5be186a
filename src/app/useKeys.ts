import { useEffect } from 'react';
import {
  focusOrShowAll,
  goTo,
  leave,
  moveLane,
  pan,
  type Stores,
  selectAtPlayhead,
  step,
  toggleFold,
  toggleMagnify,
  togglePlaying,
  toggleWhy,
  useStores,
  walk,
  zoom,
} from '../panels/shared/index.ts';

const MS = 1_000;
const ZOOM = 1.5;
const PAN = 0.15;

/** Keys of the whole page. Letters act by position on the keyboard, and never while somebody types. */
export function useKeys(): void {
  const stores = useStores();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (isTyping(event.target) || isTaken(event)) return;
      const action = actionOf(event, stores);
      if (action === null) return;
      event.preventDefault();
      action();
    };
    globalThis.addEventListener('keydown', onKeyDown);
    return () => globalThis.removeEventListener('keydown', onKeyDown);
  }, [stores]);
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('textarea, select, input:not([type=range], [type=checkbox])'));

/** A control that has the focus keeps the keys that it knows, and so does an open dialog or menu. */
function isTaken({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest('[role=dialog], [role=menu], [popover]') !== null) return true;
  if (target.matches('input[type=range], [role=tab]'))
    return key.startsWith('Arrow') || key === 'Home' || key === 'End';
  return target.matches('button, a, summary, input') && (key === ' ' || key === 'Enter');
}

function actionOf(event: KeyboardEvent, stores: Stores): (() => void) | null {
  if (event.ctrlKey || event.metaKey) {
    if (event.code !== 'KeyZ' && event.code !== 'KeyY') return null;
    const { undo, redo } = stores.scenario.getState();
    return event.shiftKey || event.code === 'KeyY' ? redo : undo;
  }
  if (event.key === '?') return () => stores.view.setState({ helpOpen: true });
  const act = event.altKey ? undefined : KEYS[event.code];
  return act === undefined ? null : () => act(stores, event.shiftKey);
}

type Act = (stores: Stores, shift: boolean) => void;
const faster = (shift: boolean): number => (shift ? 3 : 1);
const nudge =
  (direction: -1 | 1): Act =>
  (stores, shift) =>
    goTo(stores, stores.playback.getState().playhead + direction * (shift ? 1_000 : 10) * MS);

/** By position on the keyboard; Shift goes faster. The help lists them. */
const KEYS: Readonly<Record<string, Act>> = {
  KeyW: (stores, shift) => zoom(stores, 1 / ZOOM ** faster(shift)),
  KeyS: (stores, shift) => zoom(stores, ZOOM ** faster(shift)),
  KeyA: (stores, shift) => pan(stores, -PAN * faster(shift)),
  KeyD: (stores, shift) => pan(stores, PAN * faster(shift)),
  KeyF: focusOrShowAll,
  KeyL: ({ view }) => view.setState({ listOpen: !view.getState().listOpen }),
  KeyB: ({ view }) => view.setState({ scenarioOpen: !view.getState().scenarioOpen }),
  KeyQ: ({ view }) => view.setState({ inspectorOpen: !view.getState().inspectorOpen }),
  KeyY: toggleWhy,
  KeyX: toggleMagnify,
  KeyZ: toggleFold,
  KeyT: ({ view }) => view.setState({ theme: document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark' }),
  Comma: (stores) => step(stores, -1),
  Period: (stores) => step(stores, 1),
  BracketLeft: (stores) => walk(stores, -1),
  BracketRight: (stores) => walk(stores, 1),
  Space: (stores) => togglePlaying(stores),
  ArrowLeft: nudge(-1),
  ArrowRight: nudge(1),
  ArrowUp: (stores) => moveLane(stores, -1),
  ArrowDown: (stores) => moveLane(stores, 1),
  Home: (stores) => goTo(stores, 0),
  End: (stores) => goTo(stores, Number.MAX_SAFE_INTEGER),
  Escape: leave,
  Enter: selectAtPlayhead,
};
