import { sql } from 'kysely';
import type { Notification } from '#contracts/notifications.ts';
import { shortenText } from '#contracts/shorten-text.ts';
import type { Context } from '#server/context.ts';

const longest = 200;

/** The last message or note, by the notification's id: for people who asked for it. */
export async function textsOf(
  ctx: Context,
  { accountId, notifications }: { accountId: number; notifications: readonly Notification[] },
): Promise<Map<number, string>> {
  const idsOf = (kinds: readonly Notification['kind'][]) =>
    notifications.flatMap(({ kind, conversation_id: id }) => (id !== null && kinds.includes(kind) ? [id] : []));
  const { rows } = await sql<{ conversation_id: number; is_note: boolean; text: string | null }>`
    select c.id as conversation_id, false as is_note, m.body as text
      from conversations c join messages m on m.account_id = c.account_id and m.id = c.last_message_id
     where c.account_id = ${accountId} and c.id = any(${idsOf(['message_mine', 'message_unassigned'])}::bigint[])
       and m.direction = 'incoming'
    union all
    (select distinct on (n.conversation_id) n.conversation_id, true, n.text from conversation_notes n
      where n.account_id = ${accountId} and n.conversation_id = any(${idsOf(['mentioned'])}::bigint[])
        and n.mentions <> '{}'
      order by n.conversation_id, n.id desc)
  `.execute(ctx.db);
  return new Map(
    notifications.flatMap(({ id, kind, conversation_id: conversationId }) => {
      const text = rows.find(
        (row) => row.conversation_id === conversationId && row.is_note === (kind === 'mentioned'),
      )?.text;
      return text ? [[id, shortenText(text, longest)] as const] : [];
    }),
  );
}
