import { Slider } from '@base-ui/react/slider';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';

export interface FieldSliderProps {
  readonly label: string;
  readonly unit: string;
  /** Null: not set. */
  readonly value: number | null;
  readonly defaultValue: number | null;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly log: boolean;
  readonly ticks: readonly number[];
  /** Changed by a person. */
  readonly changed: boolean;
  /** Where the value comes from, in words. */
  readonly origin: string;
  readonly message: { readonly severity: 'error' | 'warning' | 'note'; readonly text: string } | null;
  readonly words: {
    readonly notSet: string;
    readonly changed: string;
    readonly reset: string;
    readonly valueOf: string;
  };
  /** While it is dragged or typed. */
  readonly onChange: (value: number) => void;
  /** A drag or a typed number is complete. */
  readonly onSettle: () => void;
  readonly onReset: () => void;
}

/** Positions of a logarithmic slider. */
const LOG_STEPS = 200;

/** One number with its slider: arrows step, Shift ×10, a double-click resets; typing may go beyond the slider. */
export function FieldSlider(props: FieldSliderProps) {
  const { label, value, defaultValue, min, max, changed, message, words, onReset, onSettle } = props;
  const id = useId();
  const shown = value ?? defaultValue ?? min;
  const scale = scaleOf(props);
  const isDefault = defaultValue === null || shown === defaultValue;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for the pointer; the reset button does the same
    <div className="field-slider" onDoubleClick={changed ? onReset : undefined}>
      <div className="field-head">
        <label htmlFor={id} className="field-label" title={props.origin}>
          {label}
        </label>
        {changed && (
          <button
            type="button"
            className="changed-dot"
            title={words.changed}
            aria-label={words.reset}
            onClick={onReset}
          />
        )}
        <ValueBox {...props} id={id} />
      </div>
      <Slider.Root
        value={scale.toPosition(Math.min(max, Math.max(min, shown)))}
        min={scale.min}
        max={scale.max}
        step={scale.step}
        largeStep={scale.step * 10}
        onValueChange={(position) => props.onChange(scale.toValue(position))}
        onValueCommitted={onSettle}
      >
        <Slider.Control className="slider-control">
          <Slider.Track className="slider-track">
            {!isDefault && defaultValue !== null && (
              <span className="slider-default" style={{ left: percent(scale, defaultValue, min, max) }} />
            )}
            <Slider.Indicator className="slider-indicator" />
            <Slider.Thumb
              className="slider-thumb"
              getAriaLabel={() => label}
              getAriaValueText={() => `${shown} ${props.unit}`.trim()}
            />
          </Slider.Track>
        </Slider.Control>
      </Slider.Root>
      <div className="slider-ticks" aria-hidden="true">
        {props.ticks.map((tick) => (
          <span key={tick} style={{ left: percent(scale, tick, min, max) }}>
            {tick}
          </span>
        ))}
      </div>
      {message !== null && (
        <p className={`field-message ${message.severity}`} role={message.severity === 'error' ? 'alert' : undefined}>
          {message.text}
        </p>
      )}
    </div>
  );
}

function ValueBox({ id, value, unit, words, onChange, onSettle }: FieldSliderProps & { readonly id: string }) {
  const [typed, setTyped] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another value takes the place of what was typed
  useEffect(() => setTyped(null), [value]);
  const commit = (): void => {
    const number = typed === null || typed.trim() === '' ? Number.NaN : Number(typed);
    if (Number.isFinite(number)) {
      onChange(number);
      onSettle();
    }
    setTyped(null);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') commit();
    if (event.key === 'Escape') setTyped(null);
  };
  return (
    <span className="field-value">
      <input
        id={id}
        inputMode="decimal"
        aria-label={words.valueOf}
        value={typed ?? (value === null ? '' : `${value}`)}
        placeholder={words.notSet}
        size={Math.max(3, `${typed ?? value ?? words.notSet}`.length)}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={commit}
        onKeyDown={onKeyDown}
      />
      {value !== null && unit !== '' && <span className="unit">{unit}</span>}
    </span>
  );
}

interface PositionScale {
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly toPosition: (value: number) => number;
  readonly toValue: (position: number) => number;
}

/** A logarithmic slider moves over positions; its values are rounded to the step. */
function scaleOf({ min, max, step, log }: FieldSliderProps): PositionScale {
  if (!log) return { min, max, step, toPosition: (value) => value, toValue: (position) => round(position, step) };
  const ratio = Math.log(max / min);
  return {
    min: 0,
    max: LOG_STEPS,
    step: 1,
    toPosition: (value) => (LOG_STEPS * Math.log(value / min)) / ratio,
    toValue: (position) => round(min * Math.exp((ratio * position) / LOG_STEPS), step),
  };
}

const round = (value: number, step: number): number => Number((Math.round(value / step) * step).toFixed(6));

function percent(scale: PositionScale, value: number, min: number, max: number): string {
  const position = scale.toPosition(Math.min(max, Math.max(min, value)));
  return `${(100 * (position - scale.min)) / (scale.max - scale.min)}%`;
}
