import type { Context } from '#server/context.ts';

export type Cap = { topicId: number | null; perDay: number | null; perWeek: number | null };

/** The caps that count for messages of a topic: that of all messages, and the topic's. */
export async function findCaps(
  ctx: Context,
  { accountId, topicId }: { accountId: number; topicId: number | null },
): Promise<Cap[]> {
  const rows = await ctx.db
    .selectFrom('message_caps')
    .select(['topic_id', 'per_day', 'per_week'])
    .where('account_id', '=', accountId)
    .execute();
  return rows
    .map((row) => ({ topicId: row.topic_id === 0 ? null : row.topic_id, perDay: row.per_day, perWeek: row.per_week }))
    .filter((cap) => cap.topicId === null || cap.topicId === topicId);
}

/** Whether reservations are kept: whatever goes counts for caps of other topics, too. */
export async function hasCaps(ctx: Context, accountId: number): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('message_caps')
    .select('topic_id')
    .where('account_id', '=', accountId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
