import { sql } from 'kysely';
import type { ConversationDetail } from '#contracts/conversations.ts';
import type { PhoneText } from '#contracts/phone-numbers.ts';
import type { AccountContext } from '#server/context.ts';
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
    const { rows } = await sql<{ id: number; is_new: boolean }>`
      with made as (
        insert into conversations (account_id, project_id, contact_key, phone, last_message_id, last_message_at)
        values (${ctx.account.id}, ${projectId}, ${phoneKey(phone)}, ${phone}, next_record_id(), ${ctx.clock.now()})
        on conflict (account_id, project_id, contact_key) do nothing
        returning id
      )
      select id, true as is_new from made
      union all
      select id, false from conversations
       where account_id = ${ctx.account.id} and project_id = ${projectId} and contact_key = ${phoneKey(phone)}
    `.execute(tx.db);
    const [found] = rows;
    if (!found) throw new Error('A conversation was neither made nor found');
    if (found.is_new) {
      const news = { type: 'conversations.changed', project_id: projectId, conversation_id: found.id } as const;
      await publishLive(tx, ctx.account.id, news);
    }
    // The caller named the number itself, so that the answer may hold it.
    return { ...(await getConversation(tx, { conversationId: found.id })), phone };
  });
}
