import { sql } from 'kysely';
import { leftTexts, profileRecipients } from '#server/modules/outreach/recipients/index.ts';
import type { Ledger } from '#server/modules/outreach/recipients/index.ts';

/** Any number of entries a profile: what keeps one from coming too soon is its guard, see `flow_profiles`. */
export const flowLedger: Ledger = {
  name: 'flow',
  entries: 'flow_deliveries',
  tallies: 'flow_tallies',
  source: 'flow_id',
  key: 'id',
  ...profileRecipients,
  originOf: (flowId) => ({ flowId }),
  sourceIdOf: (message) => message.flow_id,
  entryOfMessage: sql`e.account_id = m.account_id and e.flow_id = m.source_id and e.message_id = m.id`,
  onHandOver: ({ projectId }) => sql`, project_id = ${projectId}`,
  onRecall: sql`, changed_at = null`,
  onSettle: sql`, body = n.body, sent_at = case when n.after = 'sent' then n.sent_at end, changed_at = n.at`,
  noLongerMatches: leftTexts.flow,
};
