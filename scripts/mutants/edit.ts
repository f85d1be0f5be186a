/** A small wrong edit of the model. */
export interface Edit {
  /** The rule that it breaks. */
  readonly rule: string;
  /** What the model then does. */
  readonly wrong: string;
  /** Below src/sim. */
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly search: string;
  readonly replace: string;
}

export const edit = (rule: string, wrong: string, file: string, search: string, replace: string): Edit => ({
  rule,
  wrong,
  file,
  search,
  replace,
});
