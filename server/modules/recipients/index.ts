export { fillForProfile, placeholderText } from './placeholder-text.ts';
export type { RecipientProfile } from './placeholder-text.ts';
export { messageFor } from './message-for.ts';
export { rewriteUnsent } from './rewrite-unsent.ts';
export { skipReason, skipReasonSql, skipText, skipTextSql } from './skip-reason.ts';
export type { SkipReason } from './skip-reason.ts';
export { findWaitingReason, hasAccess } from './waiting-reason.ts';
