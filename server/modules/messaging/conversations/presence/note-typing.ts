import { sql } from 'kysely';
import type { Peer } from '#server/connectors/messaging/port.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { phoneKey } from '#server/modules/audience/profiles/index.ts';

type Told = { accountId: number; projectId: number; peer: Peer };

/** Tells open pages that somebody is writing to a project that shows it, or stopped. */
export const noteTyping = (ctx: Context, { isTyping, ...told }: Told & { isTyping: boolean }): Promise<void> =>
  tell(ctx, told, { type: 'conversations.typing', is_typing: isTyping });

/** Tells them that somebody is online, or when they were last. */
export const noteOnline = (
  ctx: Context,
  { isOnline, lastSeen, ...told }: Told & { isOnline: boolean; lastSeen: Date | null },
): Promise<void> =>
  tell(ctx, told, {
    type: 'conversations.online',
    is_online: isOnline,
    last_seen_at: lastSeen?.toISOString() ?? null,
  });

type News =
  | { type: 'conversations.typing'; is_typing: boolean }
  | { type: 'conversations.online'; is_online: boolean; last_seen_at: string | null };

async function tell(ctx: Context, { accountId, projectId, peer }: Told, news: News): Promise<void> {
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
      await publishLive(tx, accountId, { ...news, project_id: projectId, conversation_id: id });
    }
  });
}
