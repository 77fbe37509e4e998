import { sql } from 'kysely';
import { leftTexts, profileRecipients } from '#server/modules/outreach/recipients/index.ts';
import type { Ledger } from '#server/modules/outreach/recipients/index.ts';

/** An entry for each profile: the table's primary key prevents a second message. */
export const campaignLedger: Ledger = {
  name: 'campaign',
  entries: 'campaign_recipients',
  tallies: 'campaign_tallies',
  source: 'campaign_id',
  key: 'profile_id',
  ...profileRecipients,
  originOf: (campaignId) => ({ campaignId }),
  sourceIdOf: (message) => message.campaign_id,
  entryOfMessage: sql`e.account_id = m.account_id and e.campaign_id = m.source_id and e.profile_id = m.profile_id and e.message_id = m.id`,
  onHandOver: ({ now }) => sql`, changed_at = ${now}`,
  onRecall: sql`, changed_at = null`,
  onSettle: sql`, changed_at = n.at`,
  noLongerMatches: leftTexts.segment,
};
