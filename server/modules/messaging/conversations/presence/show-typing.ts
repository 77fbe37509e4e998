import { z } from 'zod';
import { Id } from '#contracts/page.ts';
import type { Peer } from '#server/connectors/messaging/port.ts';
import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { notify } from '#server/platform/db/notify.ts';
import { attendedChannel } from '../channels.ts';
import { getConversationRow } from '../read-conversations.ts';

const AttendedConversation = z.object({
  phone_id: Id,
  number: z.string().optional(),
  lid: z.string().optional(),
  is_typing: z.boolean(),
});

export type AttendedConversation = { phoneId: number; peer: Peer; isTyping: boolean };

type ShowTyping = { conversationId: number; typing: boolean };

/** Has the phone that the person wrote to show that somebody is there, and types; in whichever process holds it. */
export async function showTyping(ctx: AccountContext, { conversationId, typing }: ShowTyping): Promise<undefined> {
  await inTransaction(ctx, async (tx) => {
    const {
      project_id: projectId,
      phone_id: phoneId,
      phone,
      contact_key,
    } = await getConversationRow(tx, conversationId);
    if (phoneId === null || !(await showsTyping(tx, projectId))) return;
    const peer = phone === null ? { lid: contact_key.replace(/^lid:/, '') } : { number: phone };
    const attended: z.input<typeof AttendedConversation> = { phone_id: phoneId, ...peer, is_typing: typing };
    await notify(tx.db, [{ channel: attendedChannel, payload: JSON.stringify(attended) }]);
  });
}

async function showsTyping({ db, account }: AccountContext, projectId: number): Promise<boolean> {
  const project = await db
    .selectFrom('projects')
    .select('shows_typing')
    .where('account_id', '=', account.id)
    .where('id', '=', projectId)
    .executeTakeFirst();
  return project?.shows_typing ?? false;
}

export function parseAttended(payload: string): AttendedConversation {
  const { phone_id: phoneId, number, lid, is_typing: isTyping } = AttendedConversation.parse(JSON.parse(payload));
  return { phoneId, peer: number === undefined ? { lid: lid ?? '' } : { number }, isTyping };
}
