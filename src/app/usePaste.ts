import { useEffect, useState } from 'react';
import { useStores } from '../panels/shared/index.ts';

/** `kind:` at the start of a line, or anywhere in JSON. */
const LOOKS_LIKE_MANIFEST = /^\s*(?:-\s+)?["']?kind["']?\s*:|[{,]\s*["']kind["']\s*:/m;

export interface Paste {
  /** The last text that came was no manifest. */
  readonly refused: boolean;
  readonly dismiss: () => void;
}

/** A manifest pasted or dropped anywhere on the page, but not into a text field, becomes the scenario. Undo brings the old one back. */
export function usePaste(): Paste {
  const { scenario, view } = useStores();
  const [refused, setRefused] = useState(false);
  useEffect(() => {
    const open = async (text: string): Promise<void> => {
      const isManifest = LOOKS_LIKE_MANIFEST.test(text);
      setRefused(!isManifest);
      if (!isManifest) return;
      await scenario.getState().open({ text, overrides: [] });
      const { history, read } = scenario.getState();
      if (history.present.text === text && read.scenario === null)
        view.setState({ editorOpen: true, scenarioOpen: true, tab: 'scenario' });
    };
    const onPaste = (event: ClipboardEvent): void => {
      const { target } = event;
      if (target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea'))) return;
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (text.trim() === '') return;
      event.preventDefault();
      void open(text);
    };
    const onDragOver = (event: DragEvent): void => event.preventDefault();
    const onDrop = async (event: DragEvent): Promise<void> => {
      event.preventDefault();
      const dropped = event.dataTransfer?.getData('text/plain') ?? '';
      const files = await Promise.all([...(event.dataTransfer?.files ?? [])].map((file) => file.text()));
      if (files.length > 0) await open(files.join('\n---\n'));
      else if (dropped.trim() !== '') await open(dropped);
    };
    const drop = (event: DragEvent): void => void onDrop(event);
    globalThis.addEventListener('paste', onPaste);
    globalThis.addEventListener('dragover', onDragOver);
    globalThis.addEventListener('drop', drop);
    return () => {
      globalThis.removeEventListener('paste', onPaste);
      globalThis.removeEventListener('dragover', onDragOver);
      globalThis.removeEventListener('drop', drop);
    };
  }, [scenario, view]);
  return { refused, dismiss: () => setRefused(false) };
}
