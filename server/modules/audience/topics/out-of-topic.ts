import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

type Number = { account: RawBuilder<number>; phone: RawBuilder<string> };

/**
 * Whether a number gets nothing of a topic: it has opted out of it, or not opted in where it needs that; null for a topic
 * that there is not. Asked of the keys alone.
 */
export function isOutOfTopic(topic: RawBuilder<number | null>, { account, phone }: Number): RawBuilder<boolean> {
  return sql<boolean>`
    (select coalesce(tc.state = 'opted_out', t.needs_opt_in)
       from topics t
       left join lateral (select state from topic_consents c
                           where c.account_id = t.account_id and c.phone_key = phone_key(${phone}) and c.topic_id = t.id
                           limit 1) as tc on true
      where t.account_id = ${account} and t.id = ${topic}
      limit 1)`;
}

/** The state that a number chose of a topic; null: none. Asked of the key alone. */
export const consentOf =
  (account: RawBuilder<number>, phone: RawBuilder<string>) =>
  (topic: RawBuilder<number>): RawBuilder<string | null> =>
    sql`
    (select c.state from topic_consents c
      where c.account_id = ${account} and c.phone_key = phone_key(${phone}) and c.topic_id = ${topic} limit 1)`;

/** The same for the topic of a source; `false` where it has none. `message` names the columns of its origin. */
export function isOutOfSourceTopic(message: string, { account, phone }: Number): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${message}.${name}`);
  const [campaign, flow, run] = [column('campaign_id'), column('flow_id'), column('bulk_run_id')];
  return sql<boolean>`
    (coalesce(${campaign}, ${flow}, ${run}) is not null
     and exists (select from source_rules sr
                  where sr.account_id = ${account} and sr.source_id = coalesce(${campaign}, ${flow}, ${run})
                    and sr.source = case when ${campaign} is not null then 'campaign'
                                         when ${flow} is not null then 'flow' else 'bulk_run' end
                    and sr.topic_id is not null
                    and ${isOutOfTopic(sql`sr.topic_id`, { account, phone })} offset 0))`;
}
