import { FoldHorizontal, type LucideIcon, Maximize, Pause, Play, SkipBack, SkipForward, ZoomIn } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react';
import { formatTick, parseInstant } from '../../base/format.ts';
import { MICROS_PER_SECOND } from '../../base/units.ts';
import { SPEEDS } from '../../state/playbackStore.ts';
import { lengthOf } from '../../timeline/scale/timeWindow.ts';
import {
  goTo,
  type Stores,
  showAll,
  step,
  toggleFold,
  toggleMagnify,
  togglePlaying,
  usePlayback,
  useScenario,
  useStores,
  useStrings,
  useView,
} from '../shared/index.ts';
import { AddAction } from './AddAction.tsx';

/** So many parts of the window can be told apart by its two numbers. */
const WINDOW_STEPS = 50;

/** Step, play, type a time, fit. */
export function Transport() {
  const stores = useStores();
  const strings = useStrings();
  const playing = usePlayback((state) => state.playing);
  const speed = usePlayback((state) => state.speed);
  const window = useView((view) => view.window);
  usePlaying();
  return (
    <div className="transport" role="toolbar" aria-label={strings.transport}>
      <button
        type="button"
        className="button icon"
        aria-label={strings.previousEvent}
        title={strings.previousEvent}
        onClick={() => step(stores, -1)}
      >
        <SkipBack size={14} aria-hidden="true" />
      </button>
      <button
        type="button"
        className="button icon"
        aria-label={playing ? strings.pause : strings.play}
        title={playing ? strings.pause : strings.play}
        onClick={() => togglePlaying(stores)}
      >
        {playing ? <Pause size={14} aria-hidden="true" /> : <Play size={14} aria-hidden="true" />}
      </button>
      <button
        type="button"
        className="button icon"
        aria-label={strings.nextEvent}
        title={strings.nextEvent}
        onClick={() => step(stores, 1)}
      >
        <SkipForward size={14} aria-hidden="true" />
      </button>
      <TimeField />
      <select
        className="speed"
        aria-label={strings.speed}
        value={speed}
        onChange={(event) => stores.playback.setState({ speed: Number(event.target.value) })}
      >
        {SPEEDS.map((value) => (
          <option key={value} value={value}>
            {value}×
          </option>
        ))}
      </select>
      <AddAction />
      <span className="key-hint">
        <kbd>,</kbd> <kbd>.</kbd> {strings.stepEvent}
      </span>
      <span className="spacer" />
      <Fold />
      <Magnify />
      <ScaleButton label={strings.fit} title={strings.fitLong} icon={Maximize} act={showAll}>
        <span>{strings.fit}</span>
        <kbd>F</kbd>
      </ScaleButton>
      {window !== null && (
        <span className="window-text">
          {formatTick(window.from, lengthOf(window) / WINDOW_STEPS)} –{' '}
          {formatTick(window.to, lengthOf(window) / WINDOW_STEPS)}
        </span>
      )}
    </div>
  );
}

function Fold() {
  const { fold, foldLong } = useStrings();
  const isOn = useView((view) => view.foldsQuiet);
  return <ScaleButton label={fold} title={foldLong} icon={FoldHorizontal} isOn={isOn} act={toggleFold} />;
}

function Magnify() {
  const { magnify, magnifyLong } = useStrings();
  const isOn = useView((view) => view.magnified !== null);
  return (
    <ScaleButton label={magnify} title={magnifyLong} icon={ZoomIn} isOn={isOn} act={toggleMagnify} isWideOnly>
      <span>{magnify}</span>
    </ScaleButton>
  );
}

interface ScaleButtonProps {
  readonly label: string;
  readonly title: string;
  readonly icon: LucideIcon;
  /** Only of what can be on and off. */
  readonly isOn?: boolean;
  readonly isWideOnly?: boolean;
  readonly act: (stores: Stores) => void;
  readonly children?: ReactNode;
}

/** Changes how time is drawn. */
function ScaleButton({ label, title, icon: Icon, isOn, isWideOnly = false, act, children }: ScaleButtonProps) {
  const stores = useStores();
  return (
    <button
      type="button"
      className={`button ghost${isWideOnly ? ' wide-only' : ''}`}
      aria-label={label}
      aria-pressed={isOn}
      title={title}
      onClick={() => act(stores)}
    >
      <Icon size={14} aria-hidden="true" />
      {children}
    </button>
  );
}

function TimeField() {
  const stores = useStores();
  const strings = useStrings();
  const playhead = usePlayback((state) => state.playhead);
  const [typed, setTyped] = useState<string | null>(null);
  const [bad, setBad] = useState(false);
  const commit = (): void => {
    if (typed === null) return;
    const at = parseInstant(typed, playhead);
    setBad(at === null);
    if (at === null) return;
    goTo(stores, at);
    setTyped(null);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') commit();
    if (event.key === 'Escape') {
      setTyped(null);
      setBad(false);
    }
  };
  return (
    <span className="time-field">
      <input
        aria-label={strings.timeField}
        aria-invalid={bad}
        title={bad ? strings.badTime : strings.timeField}
        value={typed ?? (playhead / MICROS_PER_SECOND).toFixed(3)}
        onChange={(event) => setTyped(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={commit}
        onKeyDown={onKeyDown}
      />
      <span className="unit">s</span>
      {bad && (
        <span className="field-error" role="alert">
          {strings.badTime}
        </span>
      )}
    </span>
  );
}

/** Moves the playhead while it plays; with reduced motion it goes from event to event, once a second. */
function usePlaying(): void {
  const stores = useStores();
  const playing = usePlayback((state) => state.playing);
  const horizon = useScenario((state) => state.run?.reader.data.horizon ?? 0);
  useEffect(() => {
    if (!playing) return;
    if (globalThis.matchMedia('(prefers-reduced-motion: reduce)').matches) {
      const timer = setInterval(() => step(stores, 1), 1000);
      return () => clearInterval(timer);
    }
    let last = performance.now();
    let frame = requestAnimationFrame(function move(now) {
      const { playhead, speed } = stores.playback.getState();
      const at = playhead + (now - last) * 1000 * speed;
      last = now;
      goTo(stores, at);
      if (at >= horizon) stores.playback.setState({ playing: false });
      else frame = requestAnimationFrame(move);
    });
    return () => cancelAnimationFrame(frame);
  }, [playing, horizon, stores]);
}
