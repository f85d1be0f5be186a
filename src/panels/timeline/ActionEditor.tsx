import { Trash2 } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { Complaint } from '../../io/issue.ts';
import { parseDuration } from '../../io/schema/duration.ts';
import { dropAction, fieldsOf, type NamedAction, setField } from '../edits/index.ts';
import { useScenario, useStores, useStrings } from '../shared/index.ts';

export interface EditedAction {
  readonly action: NamedAction;
  /** Where its flag stands in the page, px. */
  readonly left: number;
  readonly bottom: number;
}

interface ActionEditorProps {
  readonly edited: EditedAction;
  /** It happens at another instant now, µs. */
  readonly follow: (at: number) => void;
  readonly close: () => void;
}

const WIDTH = 260;

/** What can be changed about an action, below its flag. Each change is one of the text, and one undo step. */
export function ActionEditor({ edited: { action, left, bottom }, follow, close }: ActionEditorProps) {
  const stores = useStores();
  const strings = useStrings();
  const text = useScenario((state) => state.history.present.text);
  const fields = useMemo(() => fieldsOf(text, action), [text, action]);
  const box = useRef<HTMLDivElement | null>(null);
  useEffect(() => {
    box.current?.showPopover();
    box.current?.querySelector<HTMLElement>('input, button')?.focus();
  }, []);

  const change = (field: string, value: string): Complaint | null => {
    const complaint = setField(stores, action, field, value);
    const seconds = /^\d/.test(value) ? (parseDuration(value) ?? Number(value)) : Number.NaN;
    if (field === 'at' && complaint === null && !Number.isNaN(seconds)) follow(Math.round(seconds * 1e6));
    return complaint;
  };
  const remove = (): void => {
    if (dropAction(stores, action)) close();
  };
  return (
    <div
      ref={box}
      popover="auto"
      role="dialog"
      aria-label={strings.edit.title(action.action)}
      className="menu action-editor"
      style={{ left: Math.max(8, Math.min(left, window.innerWidth - WIDTH - 8)), top: bottom + 4, width: WIDTH }}
      onToggle={(event) => event.newState === 'closed' && close()}
    >
      <b>{action.action}</b>
      {fields === null ? (
        <p>{strings.refusedEdit.unclear}</p>
      ) : (
        [...fields].map(([field, value]) => <Field key={field} field={field} value={value} change={change} />)
      )}
      {fields !== null && (
        <button type="button" className="button" onClick={remove}>
          <Trash2 size={14} aria-hidden="true" />
          {strings.edit.remove}
        </button>
      )}
    </div>
  );
}

interface FieldProps {
  readonly field: string;
  readonly value: string;
  readonly change: (field: string, value: string) => Complaint | null;
}

function Field({ field, value, change }: FieldProps) {
  const [complaint, setComplaint] = useState<Complaint | null>(null);
  const [draft, setDraft] = useState(value);
  useEffect(() => setDraft(value), [value]);
  const left = useRef(false);
  if (field === 'status')
    return (
      <label className="action-field">
        {field}
        <select value={value} onChange={(event) => setComplaint(change(field, event.target.value))}>
          <option>True</option>
          <option>False</option>
        </select>
      </label>
    );
  const take = (): void => {
    if (!left.current && draft.trim() !== value) setComplaint(change(field, draft.trim()));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') take();
    if (event.key === 'Escape') left.current = true; // the focus goes, and the draft with it
  };
  return (
    <label className="action-field">
      {field}
      <input
        type="text"
        value={draft}
        aria-invalid={complaint !== null}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={take}
      />
      {complaint !== null && (
        <span className="action-complaint" role="alert">
          {complaint.message}. {complaint.remedy}
        </span>
      )}
    </label>
  );
}
