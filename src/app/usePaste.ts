import { useEffect } from 'react';
import { useStores } from '../panels/shared/index.ts';

const LOOKS_LIKE_MANIFEST = /^\s*(?:kind|"kind")\s*:/m;

/** A manifest pasted or dropped anywhere on the page, but not into a text field, becomes the scenario. Undo brings the old one back. */
export function usePaste(): void {
  const { scenario, view } = useStores();
  useEffect(() => {
    const open = (text: string): boolean => {
      if (!LOOKS_LIKE_MANIFEST.test(text)) return false;
      scenario.getState().open({ text, overrides: [] });
      if (scenario.getState().read.scenario === null)
        view.setState({ editorOpen: true, scenarioOpen: true, tab: 'scenario' });
      return true;
    };
    const onPaste = (event: ClipboardEvent): void => {
      const { target } = event;
      if (target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea'))) return;
      if (open(event.clipboardData?.getData('text/plain') ?? '')) event.preventDefault();
    };
    const onDragOver = (event: DragEvent): void => event.preventDefault();
    const onDrop = async (event: DragEvent): Promise<void> => {
      event.preventDefault();
      const texts = await Promise.all([...(event.dataTransfer?.files ?? [])].map((file) => file.text()));
      if (texts.length > 0) open(texts.join('\n---\n'));
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
}
