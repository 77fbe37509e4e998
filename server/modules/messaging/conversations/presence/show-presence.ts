import { sql } from 'kysely';
import { presentSeconds } from '#contracts/conversation-presence.ts';
import type { PresenceState, PresentMember } from '#contracts/conversation-presence.ts';
import type { Tx, UserContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { getConversationRow } from '../read-conversations.ts';

/** As many as a page shows. */
const mostShown = 20;

type ShowPresence = { conversationId: number; state: PresenceState | 'gone' };

/** Notes that a member has a conversation open, tells open pages where that is news, and answers who else has. */
export async function showPresence(
  ctx: UserContext,
  { conversationId, state }: ShowPresence,
): Promise<{ others: PresentMember[] }> {
  return inTransaction(ctx, async (tx) => {
    const { project_id: projectId } = await getConversationRow(tx, conversationId);
    const isNews = await note(tx, { conversationId, state });
    if (isNews) {
      await publishLive(tx, tx.account.id, {
        type: 'conversations.presence',
        project_id: projectId,
        conversation_id: conversationId,
        user_id: tx.actor.userId,
        state,
      });
    }
    return { others: await readOthers(tx, conversationId) };
  });
}

/** Answers whether it was otherwise before. */
async function note(tx: Tx<UserContext>, { conversationId, state }: ShowPresence): Promise<boolean> {
  const { account, actor, clock } = tx;
  const now = clock.now();
  const own = sql`account_id = ${account.id} and user_id = ${actor.userId}`;
  const { rows } = await sql<{ state: string }>`
    select state from conversation_presence
     where ${own} and conversation_id = ${conversationId} and expires_at > ${now}
  `.execute(tx.db);
  await sql`
    delete from conversation_presence
     where ${own} and (expires_at <= ${now} or (conversation_id = ${conversationId} and ${state === 'gone'}))
  `.execute(tx.db);
  if (state === 'gone') return rows.length > 0;
  await sql`
    insert into conversation_presence (account_id, user_id, conversation_id, state, expires_at)
    values (${account.id}, ${actor.userId}, ${conversationId}, ${state}, ${new Date(now.getTime() + presentSeconds * 1000)})
    on conflict (account_id, user_id, conversation_id)
      do update set state = excluded.state, expires_at = excluded.expires_at
  `.execute(tx.db);
  return rows[0]?.state !== state;
}

/** Members alone: somebody who was removed is gone at once. */
async function readOthers(
  { db, account, actor, clock }: Tx<UserContext>,
  conversationId: number,
): Promise<PresentMember[]> {
  const { rows } = await sql<PresentMember>`
    select u.id, u.name, p.state
      from conversation_presence p
      join members m on m.account_id = p.account_id and m.user_id = p.user_id
      join users u on u.id = p.user_id
     where p.account_id = ${account.id} and p.conversation_id = ${conversationId}
       and p.user_id <> ${actor.userId} and p.expires_at > ${clock.now()}
     order by lower(u.name), u.id limit ${mostShown}
  `.execute(db);
  return rows;
}
