export { changesOf, followAudiences, markChanged } from './mark-changed.ts';
export { createMembershipService } from './membership-service.ts';
export { fingerprintOf } from './sources.ts';
export type { Source } from './sources.ts';
export { sweepAudiences } from './sweep-audiences.ts';
