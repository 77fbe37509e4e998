import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { optedOutAt, stoppedMarketingAt } from '#server/modules/audience/suppressions/index.ts';

/** Whether a message over `m` must not go: its recipient has opted out, or stopped what campaigns, flows and runs send. */
export const isRecipientOut: RawBuilder<boolean> = sql`
  (not m.override_opt_out
   and (${optedOutAt(sql`m.account_id`, sql`m.recipient`)} is not null
        or (coalesce(m.campaign_id, m.flow_id, m.bulk_run_id) is not null
            and ${stoppedMarketingAt(sql`m.account_id`, sql`m.recipient`)} is not null)))`;
