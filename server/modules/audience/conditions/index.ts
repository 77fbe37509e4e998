export { countCriteria } from './count-criteria.ts';
export { findEngagement } from './kinds/engagement.ts';
export { listMatching } from './list-matching.ts';
export type { MatchingProfile } from './list-matching.ts';
export type { Moment, Person, Question } from './question.ts';
export { unreadableValue } from './kinds/typed-leaf.ts';
export { momentOf, questionOf } from './question-of.ts';
export { requireKnownPaths } from './require-known-paths.ts';
export { withinBounds, withinTime } from './within-bounds.ts';
