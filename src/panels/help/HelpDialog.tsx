import { Fragment } from 'react';
import { DialogFrame } from '../../ui/DialogFrame.tsx';
import { useStores, useStrings } from '../shared/index.ts';
import { useKeyNames } from './useKeyNames.ts';

/** Each line: keys by their place on the keyboard (KeyboardEvent.code), and what they do (`help.keys`). */
const LINES = [
  [['KeyW', 'KeyS'], 'zoom'],
  [['KeyA', 'KeyD'], 'pan'],
  [['KeyF'], 'focus'],
  [['KeyX'], 'magnify'],
  [['KeyZ'], 'fold'],
  [['ArrowLeft', 'ArrowRight'], 'nudge'],
  [['Home', 'End'], 'ends'],
  [['Space'], 'play'],
  [['Comma', 'Period'], 'step'],
  [['BracketLeft', 'BracketRight'], 'walk'],
  [['ArrowUp', 'ArrowDown'], 'lane'],
  [['Enter'], 'select'],
  [['Escape'], 'leave'],
  [['KeyY'], 'why'],
  [['KeyL'], 'list'],
  [['KeyB', 'KeyQ'], 'panels'],
  [['KeyT'], 'theme'],
] as const;

/** What the keys and the pointer do. Keys are shown as they are written on this keyboard. */
export function HelpDialog() {
  const { help, close } = useStrings();
  const { view } = useStores();
  const nameOf = useKeyNames();
  return (
    <DialogFrame
      title={help.title}
      description={help.what}
      closeLabel={close}
      onClose={() => view.setState({ helpOpen: false })}
    >
      <dl className="help-keys">
        {LINES.map(([codes, what]) => (
          <Fragment key={what}>
            <dt>
              {codes.map((code) => (
                <kbd key={code}>{nameOf(code)}</kbd>
              ))}
            </dt>
            <dd>{help.keys[what]}</dd>
          </Fragment>
        ))}
        <dt>
          <kbd>Ctrl</kbd> <kbd>{nameOf('KeyZ')}</kbd>
        </dt>
        <dd>{help.keys.undo}</dd>
      </dl>
      <ul className="help-pointer">
        {help.pointer.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </DialogFrame>
  );
}
