import { sql } from 'kysely';
import type { Peer } from '#server/connectors/messaging/port.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { phoneKey } from '#server/modules/audience/profiles/index.ts';

type Typing = { accountId: number; projectId: number; peer: Peer; isTyping: boolean };

/** Tells open pages that somebody is writing to a project that shows it, or stopped. */
export async function noteTyping(ctx: Context, { accountId, projectId, peer, isTyping }: Typing): Promise<void> {
  const keys = [
    ...(peer.number === undefined ? [] : [phoneKey(peer.number)]),
    ...(peer.lid === undefined ? [] : [`lid:${peer.lid}`]),
  ];
  await inTransaction(ctx, async (tx) => {
    const { rows } = await sql<{ id: number }>`
      /* prepared: note-typing */
      select c.id from conversations c
        join projects p on p.account_id = c.account_id and p.id = c.project_id and p.shows_typing
       where c.account_id = ${accountId} and c.project_id = ${projectId} and c.contact_key = any(${keys}::text[])
    `.execute(tx.db);
    for (const { id } of rows) {
      const news = {
        type: 'conversations.typing',
        project_id: projectId,
        conversation_id: id,
        is_typing: isTyping,
      } as const;
      await publishLive(tx, accountId, news);
    }
  });
}
