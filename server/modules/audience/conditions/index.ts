export { compileCondition } from './compile-condition.ts';
export { countCondition } from './count-condition.ts';
export { listMatching } from './list-matching.ts';
export type { MatchingProfile } from './list-matching.ts';
export { matchesCondition } from './matches-condition.ts';
export { requireKnownPaths } from './require-known-paths.ts';
export { withinBounds, withinTime } from './within-bounds.ts';
