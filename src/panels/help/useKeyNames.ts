import { useEffect, useState } from 'react';

/** What Chromium knows of the keyboard's layout; other browsers do not tell. */
interface KeyboardWithLayout {
  readonly getLayoutMap: () => Promise<ReadonlyMap<string, string>>;
}

/** As on a US keyboard, and for keys that are the same on all. */
const NAMES: Readonly<Record<string, string>> = {
  Comma: ',',
  Period: '.',
  BracketLeft: '[',
  BracketRight: ']',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
};

/** Code of a key → what is written on it, in this keyboard's layout where the browser tells. */
export function useKeyNames(): (code: string) => string {
  const [layout, setLayout] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    const { keyboard } = navigator as { readonly keyboard?: KeyboardWithLayout };
    let isOpen = true;
    keyboard?.getLayoutMap().then(
      (map) => isOpen && setLayout(map),
      () => {}, // not allowed in a frame of another site: the names of a US keyboard stay
    );
    return () => {
      isOpen = false;
    };
  }, []);
  return (code) => {
    const name = layout.get(code) ?? NAMES[code] ?? code.replace(/^Key/, '');
    return name.length === 1 ? name.toUpperCase() : name;
  };
}
