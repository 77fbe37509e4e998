import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { MessageEvent } from '#contracts/message-events.ts';
import type { AccountContext } from '#server/context.ts';
import type { Step } from '../question.ts';
import { countInMemory, countRows, inSpan } from './counted-events.ts';
import type { CountedEvents } from './counted-events.ts';

/** A message that was sent and then failed counts as failed alone. */
const columnOf: Readonly<Record<MessageEvent, RawBuilder<Date | null>>> = {
  '$message.sent': sql`case when g.failed_at is null then g.sent_at end`,
  '$message.delivered': sql`g.delivered_at`,
  '$message.read': sql`g.read_at`,
  '$message.replied': sql`g.replied_at`,
  '$message.clicked': sql`g.clicked_at`,
  '$message.failed': sql`g.failed_at`,
  '$message.opted_out': sql`g.opted_out_at`,
};

/** As an event has them: the ids of what sent it, by its kind. */
const properties = sql`
  jsonb_strip_nulls(jsonb_build_object(
    'source', g.source, 'message_id', g.message_id,
    'campaign_id', case when g.source = 'campaign' then g.source_id end,
    'flow_id', case when g.source = 'flow' then g.source_id end,
    'bulk_run_id', case when g.source = 'bulk_run' then g.source_id end))`;

export function eventOfMessages(event: MessageEvent): CountedEvents {
  const at = columnOf[event];
  const rows = (accountId: number) => sql`
    select g.profile_id, ${at} as at, ${properties} as properties, g.changed_at
      from engagements g where g.account_id = ${accountId} and ${at} is not null`;
  const people = (accountId: number, condition: RawBuilder<unknown>) => sql<boolean>`
    (profiles.id in (select e.profile_id from (${rows(accountId)}) as e where ${condition}))`;
  return {
    counts(moment, { span, where }, id) {
      const ofOne = id ? sql`e.profile_id = ${id}` : sql`true`;
      const found = sql`select e.* from (${rows(moment.accountId)}) as e where ${inSpan(span)} and ${ofOne}`;
      return countRows(found, where, moment);
    },
    count({ steps = [] }, moment, { span: { from, to }, where }) {
      const own = steps.filter(
        (step) => step.event === event && (from === undefined || step.at >= from) && (to === undefined || step.at < to),
      );
      return countInMemory(own, where, moment);
    },
    moments: ({ steps = [] }) => steps.flatMap((step) => (step.event === event ? [step.at.getTime()] : [])),
    properties: ({ steps = [] }) => steps.flatMap((step) => (step.event === event ? [step.properties] : [])),
    receivedSince: ({ accountId }, since) => people(accountId, sql`e.changed_at >= ${since}`),
    happened: ({ accountId }, span) => people(accountId, inSpan(span)),
  };
}

/** By profile, in any order. */
export async function findSteps(ctx: AccountContext, profileIds: readonly number[]): Promise<Map<number, Step[]>> {
  const times = sql.join(Object.entries(columnOf).map(([event, at]) => sql`(${event}::text, ${at})`));
  const { rows } = await sql<Step & { profileId: number }>`
    select g.profile_id as "profileId", x.event, x.at, ${properties} as properties
      from engagements g cross join lateral (values ${times}) as x (event, at)
     where g.account_id = ${ctx.account.id} and g.profile_id = any(${profileIds}::bigint[]) and x.at is not null
  `.execute(ctx.db);
  return Map.groupBy(rows, ({ profileId }) => profileId);
}
