import { sql } from 'kysely';
import type { ConversationDetail } from '#contracts/conversations.ts';
import type { PhoneText } from '#contracts/phone-numbers.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { phoneKey } from '#server/modules/audience/profiles/index.ts';
import { requireNumber } from '#server/modules/numbers/reading/index.ts';
import { getProject } from '#server/modules/identity/projects/index.ts';
import { getConversation } from './get-conversation.ts';

/**
 * The conversation with a number, made where there is none. An existing conversation stays as it is. Throws 422
 * `number_not_clear`.
 */
export async function openConversation(
  ctx: AccountContext,
  { project_id: projectId, phone: given }: { project_id: number; phone: PhoneText },
): Promise<ConversationDetail> {
  await getProject(ctx, projectId);
  const phone = await requireNumber(ctx, { ...given, path: 'phone' });
  return inTransaction(ctx, async (tx) => {
    const key = phoneKey(phone);
    const { rows: made } = await sql<{ id: number }>`
      insert into conversations (account_id, project_id, contact_key, phone, last_message_id, last_message_at)
      values (${ctx.account.id}, ${projectId}, ${key}, ${phone}, next_record_id(), ${ctx.clock.now()})
      on conflict (account_id, project_id, contact_key) do nothing
      returning id
    `.execute(tx.db);
    const conversationId = made[0]?.id ?? (await findConversation(tx, { projectId, key }));
    if (made.length > 0) {
      const news = { type: 'conversations.changed', project_id: projectId, conversation_id: conversationId } as const;
      await publishLive(tx, ctx.account.id, news);
    }
    // The caller named the number itself, so that the answer may hold it.
    return { ...(await getConversation(tx, { conversationId })), phone };
  });
}

/** A statement of its own, as that which waited for another to make the conversation does not see it. */
async function findConversation(
  tx: Tx<AccountContext>,
  { projectId, key }: { projectId: number; key: string },
): Promise<number> {
  const { id } = await tx.db
    .selectFrom('conversations')
    .select('id')
    .where('account_id', '=', tx.account.id)
    .where('project_id', '=', projectId)
    .where('contact_key', '=', key)
    .executeTakeFirstOrThrow();
  return id;
}
