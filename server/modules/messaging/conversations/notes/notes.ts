import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { mostNotes } from '#contracts/conversation-notes.ts';
import type { ConversationNote } from '#contracts/conversation-notes.ts';
import { findMentions } from '#contracts/mentions.ts';
import { rolesThatMay } from '#contracts/roles.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { ForbiddenError, InvalidInputError, NotFoundError } from '#server/platform/errors.ts';
import { getConversationRow } from '../read-conversations.ts';
import type { ConversationRow } from '../tables.ts';

type NoteRow = Omit<ConversationNote, 'created_at' | 'edited_at' | 'author'> & {
  author_id: number | null;
  author_name: string | null;
  created_at: Date;
  edited_at: Date | null;
};

type OfConversation = { conversationId: number };
type OfNote = OfConversation & { noteId: number };

async function readNotes(
  ctx: AccountContext,
  { conversationId, condition, limit }: OfConversation & { condition: RawBuilder<unknown>; limit: number },
): Promise<ConversationNote[]> {
  const { rows } = await sql<NoteRow>`
    select n.id, n.conversation_id, n.text, n.author_id, coalesce(u.name, n.author_name) as author_name,
           n.created_at, n.edited_at,
           coalesce((select json_agg(json_build_object('id', m.id, 'name', m.name) order by lower(m.name))
                       from users m where m.id = any(n.mentions)), '[]'::json) as mentions
      from conversation_notes n left join users u on u.id = n.author_id
     where n.account_id = ${ctx.account.id} and n.conversation_id = ${conversationId} and ${condition}
     order by n.id desc limit ${limit}
  `.execute(ctx.db);
  return rows.map(({ author_id: id, author_name: name, created_at: createdAt, edited_at: editedAt, ...row }) => ({
    ...row,
    author: id === null ? null : { id, name: name ?? '' },
    created_at: createdAt.toISOString(),
    edited_at: editedAt?.toISOString() ?? null,
  }));
}

/** Throws 404 for a conversation that the caller does not see. */
export async function listNotes(
  ctx: AccountContext,
  { conversationId, after, limit }: OfConversation & { after?: string | undefined; limit: number },
): Promise<{ data: ConversationNote[]; next_cursor: string | null }> {
  await getConversationRow(ctx, conversationId);
  const condition = after === undefined ? sql`true` : sql`n.id < ${Number(after)}`;
  const notes = await readNotes(ctx, { conversationId, condition, limit: limit + 1 });
  const page = notes.slice(0, limit);
  return { data: page, next_cursor: notes.length > limit ? String(page.at(-1)?.id) : null };
}

async function getNote(ctx: AccountContext, { conversationId, noteId }: OfNote): Promise<ConversationNote> {
  const [note] = await readNotes(ctx, { conversationId, condition: sql`n.id = ${noteId}`, limit: 1 });
  if (!note) throw new NotFoundError('Note');
  return note;
}

/** Throws 422 where the conversation has as many as it may have. */
export async function createNote(
  ctx: AccountContext,
  { conversationId, text }: OfConversation & { text: string },
): Promise<ConversationNote> {
  return inTransaction(ctx, async (tx) => {
    const conversation = await getConversationRow(tx, conversationId, { isLocked: true });
    await requireRoom(tx, conversation);
    const { actor } = tx;
    const authorId = actor.kind === 'user' ? actor.userId : null;
    const mentions = await mentionedIn(tx, conversation, text);
    const { id: noteId } = await tx.db
      .insertInto('conversation_notes')
      .values({
        account_id: tx.account.id,
        conversation_id: conversationId,
        author_id: authorId,
        author_name: authorId === null ? null : await nameOf(tx, authorId),
        text,
        mentions,
        created_at: tx.clock.now(),
        edited_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await announce(tx, conversation, { mentions });
    return getNote(tx, { conversationId, noteId });
  });
}

/** Throws 403 `not_your_note` for another's. */
export async function updateNote(
  ctx: AccountContext,
  { conversationId, noteId, text }: OfNote & { text: string },
): Promise<ConversationNote> {
  return inTransaction(ctx, async (tx) => {
    const conversation = await getConversationRow(tx, conversationId, { isLocked: true });
    const before = await getOwnNote(tx, { conversationId, noteId });
    if (before.text === text) return before;
    const mentions = await mentionedIn(tx, conversation, text);
    await tx.db
      .updateTable('conversation_notes')
      .set({ text, mentions, edited_at: tx.clock.now() })
      .where('account_id', '=', tx.account.id)
      .where('id', '=', noteId)
      .execute();
    const known = new Set(before.mentions.map(({ id }) => id));
    await announce(tx, conversation, { mentions: mentions.filter((id) => !known.has(id)) });
    return getNote(tx, { conversationId, noteId });
  });
}

/** Throws 403 `not_your_note` for another's. */
export async function deleteNote(ctx: AccountContext, { conversationId, noteId }: OfNote): Promise<undefined> {
  await inTransaction(ctx, async (tx) => {
    const conversation = await getConversationRow(tx, conversationId, { isLocked: true });
    await getOwnNote(tx, { conversationId, noteId });
    await tx.db
      .deleteFrom('conversation_notes')
      .where('account_id', '=', tx.account.id)
      .where('id', '=', noteId)
      .execute();
    await announce(tx, conversation, { mentions: [] });
  });
}

/** A key's note is any key's. */
async function getOwnNote(tx: Tx<AccountContext>, asked: OfNote): Promise<ConversationNote> {
  const note = await getNote(tx, asked);
  const callerId = tx.actor.kind === 'user' ? tx.actor.userId : undefined;
  if (note.author?.id === callerId) return note;
  throw new ForbiddenError('not_your_note', 'Only the person who wrote a note changes or deletes it');
}

async function nameOf(tx: Tx, userId: number): Promise<string | null> {
  const user = await tx.db.selectFrom('users').select('name').where('id', '=', userId).executeTakeFirst();
  return user?.name ?? null;
}

async function requireRoom(tx: Tx<AccountContext>, { id }: ConversationRow): Promise<void> {
  const { count } = await tx.db
    .selectFrom('conversation_notes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', tx.account.id)
    .where('conversation_id', '=', id)
    .executeTakeFirstOrThrow();
  if (count < mostNotes) return;
  const message = `A conversation has at most ${mostNotes.toLocaleString('en')} notes. Delete one first.`;
  throw new InvalidInputError([{ path: 'text', message }]);
}

/** Members whom a text names and who read the project's conversations, but for who writes it. */
async function mentionedIn(
  tx: Tx<AccountContext>,
  { project_id: projectId }: ConversationRow,
  text: string,
): Promise<number[]> {
  if (!text.includes('@')) return [];
  const { rows: people } = await sql<{ id: number; name: string }>`
    select u.id, u.name from members m join users u on u.id = m.user_id
     where m.account_id = ${tx.account.id} and m.role = any(${rolesThatMay('messages:read')}::text[])
       and (m.project_ids is null or ${projectId} = any(m.project_ids))
     order by u.id
  `.execute(tx.db);
  const ids = findMentions(text, people).flatMap((mention) => mention.ids);
  const ownId = tx.actor.kind === 'user' ? tx.actor.userId : undefined;
  return [...new Set(ids)].filter((id) => id !== ownId);
}

async function announce(
  tx: Tx<AccountContext>,
  { id: conversationId, project_id: projectId }: ConversationRow,
  { mentions }: { mentions: readonly number[] },
): Promise<void> {
  const news = { type: 'conversations.changed', project_id: projectId, conversation_id: conversationId } as const;
  await publishLive(tx, tx.account.id, news);
  if (mentions.length === 0) return;
  const byUserId = tx.actor.kind === 'user' ? tx.actor.userId : null;
  const source = { accountId: tx.account.id, projectId, at: tx.clock.now() };
  await tx.onDomainEvents(tx, [
    { ...source, type: 'conversation.mentioned', conversationId, userIds: mentions, byUserId },
  ]);
}
