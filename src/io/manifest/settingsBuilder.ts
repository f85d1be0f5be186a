import type { Range } from '../issue.ts';
import type { NumberRule } from '../numberRule.ts';
import { type Provenance, type Setting, settingOf } from '../settings.ts';
import { lineOf, type Report, type Spot } from './report.ts';

/** Collects settings with the places that they come from. */
export class SettingsBuilder {
  readonly settings = new Map<string, Setting>();
  /** Where an issue about a setting, or about a container (`namespace/workload/container`), is shown. */
  readonly places = new Map<string, () => Range>();
  private readonly report: Report;

  constructor(report: Report) {
    this.report = report;
  }

  /** A share such as 25% stands at `spot`: no number yet, but one that a slider may set. */
  addPercentage(path: string, spot: Spot): void {
    this.settings.set(path, { value: null, from: 'manifest', line: lineOf(spot) });
    this.places.set(path, () => spot.doc.locate(spot.path));
  }

  /** `value` is what stands at `spot`, undefined when nothing does. */
  add(path: string, rule: NumberRule, value: number | undefined, from: Provenance, spot: Spot): void {
    this.settings.set(path, settingOf(rule, value, from, value === undefined ? null : lineOf(spot)));
    this.places.set(path, () => spot.doc.locate(spot.path));
    if (value === 0 && rule.zeroIsUnset) {
      const name = path.split('/').at(-1);
      this.report.add(
        'note',
        spot,
        { message: `${name}: 0 means "not set", so that the default of ${rule.default} is used`, remedy: null },
        { setting: path },
      );
    }
  }
}
