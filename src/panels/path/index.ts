export { drawnPath } from './drawnPath.ts';
export { shownBudget } from './shownBudget.ts';
export { useDrawnPath } from './useDrawnPath.ts';
