export { forgetLastWrites } from './follow-answers.ts';
export { findHolds, followHold } from './holds.ts';
export { followOutcomes } from './follow-outcomes.ts';
export { createOutcomeFolder } from './outcome-folder.ts';
export {
  findOutcomes,
  forgetOutcomes,
  noOutcomes,
  outcomesByMinute,
  outcomesOf,
  outcomesOverTime,
  removeOldOutcomes,
} from './outcomes-of.ts';
export type { OutcomeMinute, Outcomes } from './outcomes-of.ts';
export { noteClicked } from './note-click.ts';
export { takeOverEngagements } from './take-over-engagements.ts';
