/** Changes of the scenario's actions from the page itself: what edits the text comes with the first of them. */
import type * as Edits from '../edits/index.ts';

const load = (): Promise<typeof Edits> => import('../edits/index.ts');

/** As `panels/edits` has them, later. */
export const addAtPlayhead = async (...given: Parameters<typeof Edits.addAtPlayhead>): Promise<boolean> =>
  (await load()).addAtPlayhead(...given);
export const moveActionTo = async (...given: Parameters<typeof Edits.moveActionTo>): Promise<boolean> =>
  (await load()).moveActionTo(...given);
export const removeActionOf = async (...given: Parameters<typeof Edits.dropAction>): Promise<boolean> =>
  (await load()).dropAction(...given);
