export { followOutcomes } from './follow-outcomes.ts';
export { createOutcomeFolder } from './outcome-folder.ts';
export {
  findOutcomes,
  forgetOutcomes,
  noOutcomes,
  outcomesOf,
  outcomesOverTime,
  removeOldOutcomes,
} from './outcomes-of.ts';
export type { Outcomes } from './outcomes-of.ts';
