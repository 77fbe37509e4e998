export { feedLedger } from './ledger/feed-ledger.ts';
export type { Fed } from './ledger/feed-ledger.ts';
export { waitingCount } from './ledger/entry-counts.ts';
export { presentLedgerStatus } from './ledger/entry-status.ts';
export { presentEntry } from './ledger/present-entry.ts';
export type { StoredEntry } from './ledger/present-entry.ts';
export { countEntries, narrowEntries } from './ledger/narrow-entries.ts';
export type { NarrowedEntries, Narrowing } from './ledger/narrow-entries.ts';
export type { Handled } from './ledger/hand-over.ts';
export type { LedgerStatus } from './tables.ts';
export type { Ledger, LedgerCounts } from './ledger/ledger.ts';
export { inStep } from './ledger/paced-pass.ts';
export { pageOfEntries } from './ledger/page-of-entries.ts';
export { recallQueued, recallThese, rewriteQueued, withdrawQueued } from './ledger/recall-queued.ts';
export { settleEntries } from './ledger/settle-entries.ts';
export type { SettledEntry } from './ledger/settle-entries.ts';
export { added, takeTallies, talliesOf } from './ledger/tallies.ts';
export { fillForProfile, placeholderText } from './placeholder-text.ts';
export type { RecipientProfile } from './placeholder-text.ts';
export { profileRecipients } from './profile-recipients.ts';
export { entryCode, leftTexts, skipReason, skipReasonSql, skipText, skipTextSql } from './skip-reason.ts';
export type { SkipReason } from './skip-reason.ts';
export { findAccountHold, findWaitingReason } from './waiting-reason.ts';
export { nothingToRetry, requireFile, retryFailed } from './ledger/retry-failed.ts';
export {
  boundOf,
  changedTemplate,
  pinAnew,
  findReviewedTemplate,
  passKeyOf,
  presentTemplateOf,
  refuseBesideTemplate,
  takeTemplate,
} from './source-template.ts';
export { countSkips, reportOf } from './report/report-of.ts';
export { createSourceRunner } from './sources/source-runner.ts';
export type { SourceStep } from './sources/source-runner.ts';
