import { formatDuration, formatInstant } from '../../base/format.ts';
import { BATCH_PERIOD, type Edit, MIN_SYNC_PERIOD, probeSetting } from '../applyEdit.ts';
import type { PathWords } from './pathWords.ts';

/** What changes would shorten a wait, in English. */
export const editEn: Pick<PathWords, 'shorten' | 'edit' | 'gain' | 'cost'> = {
  shorten: ({ wanted }) => (wanted === 'joined' ? 'What would shorten the wait' : 'What would take it out sooner'),
  edit: editText,
  gain: ({ gain, at }, { wanted }) =>
    gain <= 0 || at === null
      ? 'does not help'
      : `${formatDuration(-gain)}, ${wanted === 'joined' ? 'a backend at' : 'out at'} ${formatInstant(at)}`,
  cost: costText,
};

function editText({ setting, from, to }: Edit): string {
  const probe = probeSetting(setting);
  if (probe === null) return `${setting.slice(setting.lastIndexOf('/') + 1)} ${from} s → ${to} s`;
  const { container, probe: kind, field } = probe;
  const unit = field.endsWith('Seconds') ? ' s' : '';
  return from === null
    ? `${kind}Probe of ${container} none → every ${to} s`
    : `${kind}Probe.${field} of ${container} ${from}${unit} → ${to}${unit}`;
}

function costText({ setting, from, to }: Edit): string {
  if (setting === MIN_SYNC_PERIOD) return 'each change of any Service is written at once';
  if (setting === BATCH_PERIOD) return 'each change of a Pod is a write of its own';
  if (setting.endsWith('/minReadySeconds')) return 'a new Pod that fails soon after it is ready is noticed too late';
  switch (probeSetting(setting)?.field) {
    case 'periodSeconds':
      return `${60 / to} probes a minute${from === null ? ' until it has started' : `, was ${60 / from}`}`;
    case 'initialDelaySeconds':
      return 'it is asked while it starts, and fails';
    case 'timeoutSeconds':
      return (from ?? 0) < to ? 'an app that hangs is noticed later' : 'a slow answer counts as a failure';
    case 'successThreshold':
      return 'one good answer is enough';
    case 'failureThreshold':
      return (from ?? 0) < to ? 'an app that is ill lives longer' : 'one bad answer is enough';
    default:
      return '';
  }
}
