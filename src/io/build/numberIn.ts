import type { Settings } from '../settings.ts';

/** Reads numbers of the settings by their paths. A path without a number is a defect of this product, and throws. */
export const numberIn =
  (settings: Settings) =>
  (path: string): number => {
    const value = settings.get(path)?.value;
    if (value === null || value === undefined) throw new Error(`no value for ${path}`);
    return value;
  };
