import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { FieldSlider, type FieldSliderProps } from './FieldSlider.tsx';

function setup(over: Partial<FieldSliderProps> = {}) {
  const onChange = vi.fn<(value: number) => void>();
  const onSettle = vi.fn<() => void>();
  const onReset = vi.fn<() => void>();
  render(
    <FieldSlider
      label="periodSeconds"
      unit="s"
      value={10}
      defaultValue={10}
      min={1}
      max={300}
      step={1}
      log={false}
      ticks={[1, 300]}
      changed={false}
      origin="line 3"
      message={null}
      words={{ notSet: 'not set', changed: 'changed', reset: 'Reset periodSeconds', valueOf: 'Value of periodSeconds' }}
      onChange={onChange}
      onSettle={onSettle}
      onReset={onReset}
      {...over}
    />,
  );
  return { onChange, onSettle, onReset, slider: screen.getByRole('slider'), box: screen.getByRole('textbox') };
}

describe('FieldSlider', () => {
  it('steps by one with an arrow key, by ten with Shift', () => {
    const { slider, onChange } = setup();
    fireEvent.keyDown(slider, { key: 'ArrowRight' });
    fireEvent.keyDown(slider, { key: 'ArrowRight', shiftKey: true });
    expect(onChange.mock.calls).toEqual([[11], [20]]);
  });

  it('takes a typed value beyond the slider', async () => {
    const { box, onChange, onSettle } = setup();
    await userEvent.clear(box);
    await userEvent.type(box, '3600{Enter}');
    expect(onChange).toHaveBeenCalledWith(3600);
    expect(onSettle).toHaveBeenCalled();
  });

  it('lets go of what is no number', async () => {
    const { box, onChange } = setup();
    await userEvent.clear(box);
    await userEvent.type(box, 'soon{Enter}');
    expect(onChange).not.toHaveBeenCalled();
    expect(box).toHaveProperty('value', '10');
  });

  it('resets with a double-click or its button, only when it was changed', async () => {
    const { onReset, slider } = setup({ changed: true, value: 20 });
    await userEvent.click(screen.getByRole('button', { name: 'Reset periodSeconds' }));
    fireEvent.doubleClick(slider);
    expect(onReset).toHaveBeenCalledTimes(2);
  });

  it('has no reset while it is as given', () => {
    setup();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it.each([
    ['marks the default where the value differs from it', 20, 1],
    ['marks no default where the value equals it', 10, 0],
  ])('%s', (_name, value, marks) => {
    setup({ value });
    expect(document.querySelectorAll('.slider-default')).toHaveLength(marks);
  });

  it('keeps whole numbers on a logarithmic scale', () => {
    const { slider, onChange } = setup({ log: true });
    fireEvent.keyDown(slider, { key: 'ArrowRight', shiftKey: true });
    const [[value = 0] = []] = onChange.mock.calls;
    expect(Number.isInteger(value)).toBe(true);
    expect(value).toBeGreaterThan(10);
  });

  it('says an error under the field and announces it', () => {
    setup({ message: { severity: 'error', text: 'must be 1' } });
    expect(screen.getByRole('alert').textContent).toBe('must be 1');
  });
});
