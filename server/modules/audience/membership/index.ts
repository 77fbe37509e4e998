export { countFollowed } from './count-followed.ts';
export { findBuilt } from './follow-definitions.ts';
export { changesOf, followAudiences, markChanged } from './mark-changed.ts';
export { createMembershipService } from './membership-service.ts';
export { fingerprintOf } from './sources.ts';
export type { Found, Source } from './sources.ts';
export { takeTurn } from './take-turn.ts';
export { makeDue } from './turn.ts';
export { sweepAudiences } from './sweep-audiences.ts';
