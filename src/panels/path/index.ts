export { drawnPath } from './drawnPath.ts';
export { shownBudget } from './shownBudget.ts';
