/**
 * exact: as the source has it, for everything that a scenario can express. approximated: with the difference that the note
 * names. follows: no code of its own; a consequence of other rules. left out: with the reason.
 */
export type Status = 'exact' | 'approximated' | 'follows' | 'left out';

export interface FidelityRow {
  readonly text: string;
  readonly status: Status;
  /** How approximated, from what it follows, or why it is left out; empty when exact. */
  readonly note: string;
}

export const exact = (text: string): FidelityRow => ({ text, status: 'exact', note: '' });
export const near = (text: string, note: string): FidelityRow => ({ text, status: 'approximated', note });
export const follows = (text: string, note: string): FidelityRow => ({ text, status: 'follows', note });
export const out = (text: string, note: string): FidelityRow => ({ text, status: 'left out', note });
