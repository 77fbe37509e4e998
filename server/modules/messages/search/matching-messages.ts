import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { z } from 'zod';
import type { MessageSource } from '#contracts/message-content.ts';
import type { exportMessages } from '#contracts/message-search.ts';
import type { AccountOrProjectContext } from '#server/context.ts';
import { partOf } from '#server/platform/db/like.ts';
import type { MessageRow } from '../present.ts';
import { storedStatuses } from '../present.ts';
import { holdsText, isFoundBy } from './found-by-text.ts';

export type MessageFilter = z.output<typeof exportMessages.query>;

/** Ids follow the clock of the database, `created_at` that of a process: they may differ a little. */
const clockSlack = sql`interval '1 hour'`;

/** The rows that match, newest first, from the id `after` on; a project's key sees that project alone. */
export async function readMatching(
  ctx: AccountOrProjectContext,
  filter: MessageFilter,
  { after, limit }: { after: number | undefined; limit: number },
): Promise<MessageRow[]> {
  const conditions = [...conditionsOf(ctx, filter), ...(after === undefined ? [] : [sql`id < ${after}`])];
  const { rows } = await sql<MessageRow>`
    select * from messages
     where account_id = ${ctx.account.id} and ${sql.join(conditions.length > 0 ? conditions : [sql`true`], sql` and `)}
     order by id desc
     limit ${limit}
  `.execute(ctx.db);
  return rows;
}

function conditionsOf(ctx: AccountOrProjectContext, filter: MessageFilter): RawBuilder<unknown>[] {
  const ownProjectId = ctx.project?.id;
  const { id: accountId } = ctx.account;
  const { direction, status, type, number, text, metadata } = filter;
  const conditions: RawBuilder<unknown>[] = [];
  const when = (isGiven: boolean, condition: RawBuilder<unknown>) => {
    if (isGiven) conditions.push(condition);
  };
  when(ownProjectId !== undefined, sql`project_id = ${ownProjectId}`);
  when(filter.project_id !== undefined, sql`project_id = ${filter.project_id}`);
  when(direction !== undefined, sql`direction = ${direction}`);
  when(status !== undefined, sql`status = any(${storedStatuses(status ?? 'pending')}::text[])`);
  when(type !== undefined, sql`coalesce(type, 'text') = ${type}`);
  when(number !== undefined, sql`(recipient like ${partOf(number ?? '')} or sender like ${partOf(number ?? '')})`);
  when(text !== undefined, holdsText(accountId, text ?? ''));
  when(filter.search !== undefined, isFoundBy(accountId, filter.search ?? ''));
  when(filter.source !== undefined, isFrom(filter.source ?? 'api'));
  when(filter.campaign_id !== undefined, sql`campaign_id = ${filter.campaign_id}`);
  when(filter.flow_id !== undefined, sql`flow_id = ${filter.flow_id}`);
  for (const [key, value] of metadata ?? []) {
    conditions.push(sql`metadata is not null and metadata @> ${JSON.stringify({ [key]: value })}::jsonb`);
  }
  return [...conditions, ...timesOf(filter)];
}

/** As `presentMessage` says it: a campaign, a flow and a program may be told by the ids alone. */
function isFrom(source: MessageSource): RawBuilder<boolean> {
  const isOurs = sql`direction = 'outgoing'`;
  if (source === 'campaign')
    return sql`${isOurs} and coalesce(source, 'campaign') = 'campaign' and campaign_id is not null`;
  if (source === 'flow') return sql`${isOurs} and coalesce(source, 'flow') = 'flow' and flow_id is not null`;
  if (source === 'bulk_run')
    return sql`${isOurs} and coalesce(source, 'bulk_run') = 'bulk_run' and bulk_run_id is not null`;
  if (source === 'api')
    return sql`${isOurs} and coalesce(source, 'api') = 'api' and campaign_id is null and flow_id is null and bulk_run_id is null`;
  return sql`source = ${source}`;
}

/** The ids as well: they say which months are to be read. */
function timesOf({ created_after: from, created_before: before }: MessageFilter): RawBuilder<unknown>[] {
  return [
    ...(from === undefined
      ? []
      : [sql`created_at >= ${from}::timestamptz and id >= record_id_at(${from}::timestamptz - ${clockSlack})`]),
    ...(before === undefined
      ? []
      : [sql`created_at < ${before}::timestamptz and id < record_id_at(${before}::timestamptz + ${clockSlack})`]),
  ];
}
