import { Dialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';

export interface DialogFrameProps {
  readonly title: string;
  /** One sentence below the title; '' for none. */
  readonly description: string;
  readonly closeLabel: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** An open dialog with its title; Esc and a click outside close it. */
export function DialogFrame({ title, description, closeLabel, onClose, children }: DialogFrameProps) {
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog">
          <header className="part-head">
            <Dialog.Title className="dialog-title">{title}</Dialog.Title>
            <Dialog.Close className="button icon ghost" aria-label={closeLabel}>
              <X size={16} aria-hidden="true" />
            </Dialog.Close>
          </header>
          {description !== '' && <Dialog.Description className="quiet">{description}</Dialog.Description>}
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
