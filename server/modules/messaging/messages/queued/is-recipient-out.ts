import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { isOutOfSourceTopic } from '#server/modules/audience/topics/index.ts';
import { optedOutAt, stoppedMarketingAt } from '#server/modules/audience/suppressions/index.ts';

/** Whether the recipient of a message over `m` has opted out of the topic of what sends it. */
export const isOutOfItsTopic: RawBuilder<boolean> = isOutOfSourceTopic('m', {
  account: sql`m.account_id`,
  phone: sql`m.recipient`,
});

/** Whether its recipient has opted out of everything, or stopped marketing and it is that. */
export const isOutOfAll: RawBuilder<boolean> = sql`
  (not m.override_opt_out
   and (${optedOutAt(sql`m.account_id`, sql`m.recipient`)} is not null
        or ((coalesce(m.campaign_id, m.flow_id, m.bulk_run_id) is not null
             or (m.type = 'template' and m.media_source #>> '{details,template,category}' = 'marketing'))
            and ${stoppedMarketingAt(sql`m.account_id`, sql`m.recipient`)} is not null)))`;

/** Whether a message over `m` must not go. */
export const isRecipientOut: RawBuilder<boolean> = sql`(${isOutOfAll} or ${isOutOfItsTopic})`;
