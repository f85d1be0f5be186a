import { AlertTriangle, X } from 'lucide-react';
import type { ReactNode } from 'react';

export interface NoticeProps {
  readonly tone: 'wait' | 'fail';
  /** `alert` interrupts a screen reader, `status` waits for a pause. */
  readonly role: 'alert' | 'status';
  readonly children: ReactNode;
  /** Right of the text: what can be done. */
  readonly action?: ReactNode;
  /** With it there is a button that takes the notice away; `label` names it. */
  readonly dismiss?: { readonly label: string; readonly act: () => void };
}

/** A line above the lanes that says what is wrong and what to do. */
export function Notice({ tone, role, children, action, dismiss }: NoticeProps) {
  return (
    <div className={`notice ${tone}`} role={role}>
      <AlertTriangle size={14} aria-hidden="true" />
      <span>{children}</span>
      {action}
      {dismiss !== undefined && (
        <button type="button" className="button icon ghost" aria-label={dismiss.label} onClick={dismiss.act}>
          <X size={14} aria-hidden="true" />
        </button>
      )}
    </div>
  );
}
