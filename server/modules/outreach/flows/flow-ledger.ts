import { sql } from 'kysely';
import { profileRecipients } from '#server/modules/outreach/recipients/index.ts';
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
  entryOfMessage: sql`e.account_id = m.account_id and e.message_id = m.id and e.status in ('queued', 'failed')`,
  onHandOver: ({ projectId }) => sql`, project_id = ${projectId}`,
  onRecall: sql``,
  onSettle: sql`, body = n.body, sent_at = n.sent_at`,
  noLongerMatches: 'No longer matches the conditions',
};
