import { sql } from 'kysely';
import type { ConversationDetail } from '#contracts/conversations.ts';
import type { PhoneText } from '#contracts/phone-numbers.ts';
import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { phoneKey } from '#server/modules/audience/profiles/index.ts';
import { requireNumber } from '#server/modules/numbers/reading/index.ts';
import { getProject, holdProject } from '#server/modules/identity/projects/index.ts';
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
    await holdProject(tx, projectId);
    const { rows } = await sql<{ id: number }>`
      insert into conversations (account_id, project_id, contact_key, phone, last_message_id, last_message_at)
      values (${ctx.account.id}, ${projectId}, ${phoneKey(phone)}, ${phone}, next_record_id(), ${ctx.clock.now()})
      on conflict (account_id, project_id, contact_key) do nothing
      returning id
    `.execute(tx.db);
    const [made] = rows;
    if (made) {
      const news = { type: 'conversations.changed', project_id: projectId, conversation_id: made.id } as const;
      await publishLive(tx, ctx.account.id, news);
    }
    // Looked for in a statement of its own: the one before does not see what was made while it waited.
    const { id } = made ?? (await findConversation(tx, { projectId, phone }));
    // The caller named the number itself, so that the answer may hold it.
    return { ...(await getConversation(tx, { conversationId: id })), phone };
  });
}

function findConversation(
  ctx: AccountContext,
  { projectId, phone }: { projectId: number; phone: string },
): Promise<{ id: number }> {
  return ctx.db
    .selectFrom('conversations')
    .select('id')
    .where('account_id', '=', ctx.account.id)
    .where('project_id', '=', projectId)
    .where('contact_key', '=', phoneKey(phone))
    .executeTakeFirstOrThrow();
}
