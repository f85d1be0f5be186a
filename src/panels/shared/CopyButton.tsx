import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { useStrings } from './index.ts';

/** Puts a text on the clipboard, and says that it did. */
export function CopyButton({ label, text }: { readonly label: string; readonly text: () => string }) {
  const strings = useStrings();
  const [copied, setCopied] = useState<string | null>(null);
  const copy = async (): Promise<void> => {
    const now = text();
    await navigator.clipboard.writeText(now);
    setCopied(now);
  };
  const isDone = copied !== null && copied === text();
  const Icon = isDone ? Check : Copy;
  return (
    <button
      type="button"
      className="button icon ghost"
      aria-label={isDone ? strings.copied : label}
      title={isDone ? strings.copied : label}
      onClick={() => void copy()}
    >
      <Icon size={13} aria-hidden="true" />
    </button>
  );
}
