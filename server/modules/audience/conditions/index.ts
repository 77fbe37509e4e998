export { countCondition } from './count-condition.ts';
export { listMatching } from './list-matching.ts';
export type { MatchingProfile } from './list-matching.ts';
export type { Moment, Question } from './question.ts';
export { momentOf, questionOf } from './question-of.ts';
export type { Criteria } from './question-of.ts';
export { requireKnownPaths } from './require-known-paths.ts';
export { withinBounds, withinTime } from './within-bounds.ts';
