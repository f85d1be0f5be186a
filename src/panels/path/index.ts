export { shownBudget } from './shownBudget.ts';
