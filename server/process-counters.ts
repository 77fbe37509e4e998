import { createCounters } from '#server/platform/counters.ts';
import { processPart } from '#server/process-part.ts';

/** Counters of this process since its start, for `/metrics`. */
export const countersOf = processPart(() =>
  createCounters({
    dovepost_messages_accepted_total:
      'Messages that were accepted, by how they came: direct, or queued by a ledger or a batch',
    dovepost_messages_total: 'Messages that reached a status, by connector; code says why they failed',
    dovepost_shadow_members_total:
      'Memberships that were found one change at a time, same as those of the search or different',
    dovepost_shadow_answers_total: 'Answers of the evaluator in memory, same as those of the search or different',
    dovepost_webhook_attempts_total: 'Attempts to deliver a webhook, by what became of the record',
  }),
);
