import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { z } from 'zod';
import type { MessageSource } from '#contracts/message-content.ts';
import type { exportMessages } from '#contracts/message-search.ts';
import type { AccountOrProjectContext } from '#server/context.ts';
import { inScope } from '#server/scope.ts';
import { hasPart, partOf } from '#server/platform/db/like.ts';
import type { MessageRow } from '../present.ts';
import { storedStatuses } from '../present.ts';
import { byText, isIndexed, waysToFind } from './found-by-text.ts';
import type { Way } from './found-by-text.ts';

export type MessageFilter = z.output<typeof exportMessages.query>;

/** Ids follow the clock of the database, `created_at` that of a process: they may differ a little. */
const clockSlack = sql`interval '1 hour'`;

/** The rows that match, newest first, from the id `after` on; a project's key sees that project alone. */
export async function readMatching(
  ctx: AccountOrProjectContext,
  filter: MessageFilter,
  { after, limit }: { after: number | undefined; limit: number },
): Promise<MessageRow[]> {
  const conditions = [sql`account_id = ${ctx.account.id}`, ...conditionsOf(ctx, filter)];
  if (after !== undefined) conditions.push(sql`id < ${after}`);
  const condition = sql.join(conditions, sql` and `);
  const ways = waysOf(filter);
  if (ways.length > 0) return readFound(ctx, { condition, ways, after: after ?? null, limit });
  const { rows } = await sql<MessageRow>`
    select * from messages where ${condition} order by id desc limit ${limit}
  `.execute(ctx.db);
  return rows;
}

/** A text beside `search` is a condition of what is found by that. */
function waysOf({ search, text }: MessageFilter): readonly Way[] {
  if (search !== undefined) return waysToFind(search);
  return text !== undefined && isIndexed(text) ? [byText(text)] : [];
}

type Found = { condition: RawBuilder<unknown>; ways: readonly Way[]; after: number | null; limit: number };

/**
 * Reads messages that are found in any of the ways and meet the condition. A text that a million messages hold is not
 * looked for in all of them: the latest of each way will mostly do. Where they do not, more are, and at last all.
 */
async function readFound(ctx: AccountOrProjectContext, found: Found): Promise<MessageRow[]> {
  for (const most of [2 * found.limit, 64 * found.limit]) {
    const { rows, isComplete } = await readLatest(ctx, { ...found, most });
    if (isComplete || rows.length === found.limit) return rows;
  }
  return (await readLatest(ctx, { ...found, most: null })).rows;
}

async function readLatest(
  { db, account }: AccountOrProjectContext,
  { condition, ways, after, limit, most }: Found & { most: number | null },
): Promise<{ rows: MessageRow[]; isComplete: boolean }> {
  const ids = ways.map((way, index) => {
    const latest = way({ accountId: account.id, after, most });
    return sql`select ${sql.lit(index)} as way, f.id from (${latest}) f`;
  });
  // Before the oldest of a way that has found as many as it may, there may be more of it.
  const { rows } = await sql<MessageRow & { from_id: number | null }>`
    with found as (${sql.join(ids, sql` union all `)}),
         bound as (
           select max(oldest) as from_id
             from (select min(id) as oldest from found group by way having count(*) >= ${most}) f)
    select bound.from_id, m.*
      from bound
      left join lateral (
        select * from messages
         where ${condition} and id in (select found.id from found) and id >= coalesce(bound.from_id, 0)
         order by id desc
         limit ${limit}) m on true
     order by m.id desc
  `.execute(db);
  const isComplete = rows[0]?.from_id === null;
  return { rows: rows.filter(({ id }) => id !== null), isComplete };
}

function conditionsOf(ctx: AccountOrProjectContext, filter: MessageFilter): RawBuilder<unknown>[] {
  const { direction, status, type, number, text, metadata } = filter;
  const conditions: RawBuilder<unknown>[] = [inScope(ctx)];
  const when = (isGiven: boolean, condition: RawBuilder<unknown>) => {
    if (isGiven) conditions.push(condition);
  };
  when(filter.project_id !== undefined, sql`project_id = ${filter.project_id}`);
  when(direction !== undefined, sql`direction = ${direction}`);
  when(status !== undefined, sql`status = any(${storedStatuses(status ?? 'pending')}::text[])`);
  when(type !== undefined, sql`coalesce(type, 'text') = ${type}`);
  when(number !== undefined, sql`(recipient like ${partOf(number ?? '')} or sender like ${partOf(number ?? '')})`);
  when(text !== undefined && (filter.search !== undefined || !isIndexed(text)), hasPart(sql`body`, text ?? ''));
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
