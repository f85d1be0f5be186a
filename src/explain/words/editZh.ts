import { formatDuration, formatInstant } from '../../base/format.ts';
import { BATCH_PERIOD, type Edit, MIN_SYNC_PERIOD, probeSetting } from '../applyEdit.ts';
import type { PathWords } from './pathWords.ts';

/** What changes would shorten a wait, in Chinese. */
export const editZh: Pick<PathWords, 'shorten' | 'edit' | 'gain' | 'cost'> = {
  shorten: ({ wanted }) => (wanted === 'joined' ? '怎样可以缩短等待' : '怎样可以更早移出'),
  edit: editText,
  gain: ({ gain, at }, { wanted }) =>
    gain <= 0 || at === null
      ? '没有帮助'
      : `${formatDuration(-gain)}，${formatInstant(at)} ${wanted === 'joined' ? '成为后端' : '移出'}`,
  cost: costText,
};

const KIND = { startup: '启动探针', readiness: '就绪探针', liveness: '存活探针' } as const;

function editText({ setting, from, to }: Edit): string {
  const probe = probeSetting(setting);
  if (probe === null) return `${setting.slice(setting.lastIndexOf('/') + 1)} ${from} s → ${to} s`;
  const { container, probe: kind, field } = probe;
  const unit = field.endsWith('Seconds') ? ' s' : '';
  return from === null
    ? `${container} 的${KIND[kind]}：无 → 每 ${to} s`
    : `${container} 的${KIND[kind]} ${field} ${from}${unit} → ${to}${unit}`;
}

function costText({ setting, from, to }: Edit): string {
  if (setting === MIN_SYNC_PERIOD) return '任何 Service 的变化都会立即写入';
  if (setting === BATCH_PERIOD) return 'Pod 的每次变化都单独写一次';
  if (setting.endsWith('/minReadySeconds')) return '刚就绪就失败的新 Pod 发现得太晚';
  switch (probeSetting(setting)?.field) {
    case 'periodSeconds':
      return `每分钟探测 ${60 / to} 次${from === null ? '，直到启动完成' : `，原为 ${60 / from} 次`}`;
    case 'initialDelaySeconds':
      return '启动期间就被询问，并且失败';
    case 'timeoutSeconds':
      return (from ?? 0) < to ? '挂起的应用更晚被发现' : '应答慢也算失败';
    case 'successThreshold':
      return '一次成功就够';
    case 'failureThreshold':
      return (from ?? 0) < to ? '有问题的应用存活更久' : '一次失败就够';
    default:
      return '';
  }
}
