import type { Strings } from '../../app/strings/en.ts';
import { formatInstant } from '../../base/format.ts';
import { type Sending, sendingOf } from '../../explain/sending.ts';
import type { TraceEvent, TraceReader } from '../../sim/trace/reader.ts';
import { select, useStores, useStrings } from '../shared/index.ts';

/** One sentence: whether a version of the status went to the API server, and why not. Leads to the request. */
export function SentLine({ reader, set }: { readonly reader: TraceReader; readonly set: TraceEvent<'statusSet'> }) {
  const stores = useStores();
  const strings = useStrings();
  const sending = sendingOf(reader, set);
  const text = sentence(sending, strings);
  if (sending.kind === 'notSent') return <p>{text}</p>;
  return (
    <p>
      <button type="button" className="link" onClick={() => select(stores, sending.ref)}>
        {text}
      </button>
    </p>
  );
}

function sentence(sending: Sending, { sent }: Strings): string {
  switch (sending.kind) {
    case 'patched':
      return sent.patched(formatInstant(sending.at), formatInstant(sending.committedAt));
    case 'getOnly':
      return sent.getOnly(formatInstant(sending.at));
    case 'failed':
      return sent.failed(formatInstant(sending.at), sending.error);
    case 'skipped':
      return sent.skipped(sending.by, formatInstant(sending.at));
    case 'notSent':
      return sent.notSent;
  }
}
