import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { optedOutAt, stoppedMarketingAt } from '#server/modules/audience/suppressions/index.ts';

/** Whether a message over `m` must not go: its recipient has opted out, or stopped marketing and it is that. */
export const isRecipientOut: RawBuilder<boolean> = sql`
  (not m.override_opt_out
   and (${optedOutAt(sql`m.account_id`, sql`m.recipient`)} is not null
        or ((coalesce(m.campaign_id, m.flow_id, m.bulk_run_id) is not null
             or (m.type = 'template' and m.media_source #>> '{details,template,category}' = 'marketing'))
            and ${stoppedMarketingAt(sql`m.account_id`, sql`m.recipient`)} is not null)))`;
