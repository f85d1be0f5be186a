import { Copy, Download } from 'lucide-react';
import { useMemo, useState } from 'react';
import { capitalised } from '../../base/format.ts';
import { micros } from '../../base/units.ts';
import { encodeLink, LINK_LENGTH_LIMIT } from '../../io/link/link.ts';
import { DialogFrame } from '../../ui/DialogFrame.tsx';
import { useStores, useStrings } from '../shared/index.ts';

const number = new Intl.NumberFormat('en');

/** The run as a link: nothing is sent anywhere, the scenario stands in the address. */
export function ShareDialog({ onClose }: { readonly onClose: () => void }) {
  const strings = useStrings();
  const { scenario } = useStores();
  const [fullText, setFullText] = useState(false);
  const [said, setSaid] = useState<string | null>(null);
  const link = useLink(fullText);
  const copy = async (): Promise<void> => {
    if (!link.ok) return;
    try {
      await navigator.clipboard.writeText(link.url);
      setSaid(strings.copied);
    } catch {
      setSaid(strings.copyFailed);
    }
  };
  return (
    <DialogFrame
      title={strings.shareTitle}
      description={strings.shareWhat}
      closeLabel={strings.close}
      onClose={onClose}
    >
      <label className="check">
        <input type="checkbox" checked={fullText} onChange={(event) => setFullText(event.target.checked)} />
        {strings.shareFull}
      </label>
      {link.ok ? <LinkField url={link.url} length={link.length} /> : <p className="field-message error">{link.text}</p>}
      <footer className="dialog-foot">
        <span role="status" className="quiet">
          {said}
        </span>
        <button type="button" className="button" onClick={() => save(scenario.getState().history.present.text)}>
          <Download size={14} aria-hidden="true" />
          {strings.saveYaml}
        </button>
        <button type="button" className="button primary" disabled={!link.ok} onClick={() => void copy()}>
          <Copy size={14} aria-hidden="true" />
          {strings.copyLink}
        </button>
      </footer>
    </DialogFrame>
  );
}

function LinkField({ url, length }: { readonly url: string; readonly length: number }) {
  const strings = useStrings();
  const share = Math.min(1, length / LINK_LENGTH_LIMIT);
  return (
    <>
      <label className="link-field">
        {strings.shareLink}
        <input readOnly value={url} onFocus={(event) => event.target.select()} />
      </label>
      <div className="part-head">
        <b>{strings.shareLength}</b>
        <span className="quiet">{strings.shareOf(number.format(length), number.format(LINK_LENGTH_LIMIT))}</span>
      </div>
      <meter className="length-meter" min={0} max={1} value={share} aria-label={strings.shareLength} />
      {length > LINK_LENGTH_LIMIT && <p className="field-message warning">{strings.shareTooLong}</p>}
    </>
  );
}

type LinkNow =
  | { readonly ok: true; readonly url: string; readonly length: number }
  | { readonly ok: false; readonly text: string };

/** The link to what is on the screen, made when the dialog opens or its choice changes. */
function useLink(fullText: boolean): LinkNow {
  const { scenario, view, playback } = useStores();
  return useMemo(() => {
    const { text, overrides } = scenario.getState().history.present;
    const { window, language } = view.getState();
    const result = encodeLink(
      {
        text,
        overrides,
        playhead: micros(Math.round(playback.getState().playhead)),
        window: window === null ? null : { from: micros(Math.round(window.from)), to: micros(Math.round(window.to)) },
        language,
      },
      { fullText },
    );
    if (!result.ok) return { ok: false, text: `${capitalised(result.problem.message)}. ${result.problem.remedy}` };
    const url = new URL(globalThis.location.href);
    url.hash = result.value;
    return { ok: true, url: url.href, length: result.value.length };
  }, [scenario, view, playback, fullText]);
}

function save(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/yaml' }));
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = 'scenario.yaml';
  anchor.click();
  URL.revokeObjectURL(url);
}
