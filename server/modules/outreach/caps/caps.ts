import { sql } from 'kysely';
import type { MessageCap } from '#contracts/message-caps.ts';
import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { requireTopic } from '#server/modules/audience/topics/index.ts';

type Caps = { data: MessageCap[] };

export async function listCaps(ctx: AccountContext): Promise<Caps> {
  const { rows } = await sql<{ topic_id: number; per_day: number | null; per_week: number | null }>`
    select c.topic_id, c.per_day, c.per_week
      from message_caps c
      left join topics t on t.account_id = c.account_id and t.id = c.topic_id
     where c.account_id = ${ctx.account.id} and (c.topic_id = 0 or t.deleted_at is null)
     order by c.topic_id <> 0, lower(t.name)
  `.execute(ctx.db);
  return { data: rows.map((row) => ({ ...row, topic_id: row.topic_id === 0 ? null : row.topic_id })) };
}

/** Without a number there is no cap. Throws 422 for a topic that there is not. */
export async function putCap(ctx: AccountContext, { topic_id: topicId, ...cap }: MessageCap): Promise<Caps> {
  return inTransaction(ctx, async (tx) => {
    if (topicId !== null) await requireTopic(tx, topicId, 'topic_id');
    const ref = { account_id: tx.account.id, topic_id: topicId ?? 0 };
    if (cap.per_day === null && cap.per_week === null) {
      await tx.db
        .deleteFrom('message_caps')
        .where('account_id', '=', ref.account_id)
        .where('topic_id', '=', ref.topic_id)
        .execute();
    } else {
      await tx.db
        .insertInto('message_caps')
        .values({ ...ref, ...cap })
        .onConflict((conflict) => conflict.columns(['account_id', 'topic_id']).doUpdateSet(cap))
        .execute();
    }
    return listCaps(tx);
  });
}
