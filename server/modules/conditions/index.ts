export { compileCondition } from './compile-condition.ts';
export { countCondition } from './count-condition.ts';
export { listMatching } from './list-matching.ts';
export type { MatchingProfile } from './list-matching.ts';
export { matchesCondition } from './matches-condition.ts';
export { requireKnownPath } from './require-known-path.ts';
export { withinBounds, withinTime } from './within-bounds.ts';
