import { rm } from 'node:fs/promises';
import { sql } from 'kysely';
import { maxUploadBytes } from '#contracts/media.ts';
import { MediaType } from '#contracts/message-content.ts';
import type { MediaFetch, WantedMedia } from '#server/connectors/messaging/port.ts';
import type { Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { storeIncoming } from '#server/modules/messaging/media/index.ts';
import type { Lease } from '#server/modules/numbers/links/index.ts';
import { pauseAfter } from '#server/platform/backoff.ts';
import { notify } from '#server/platform/db/notify.ts';
import { mediaFetchesChannel } from '../channels.ts';
import { fileSourceOf, withoutFileSource } from '../content/details.ts';
import { presentMessage } from '../present.ts';
import type { MessageRow } from '../present.ts';
import type { StoredMedia } from '../tables.ts';

/**
 * Longer than any file may take. Fetches left by a worker that ends are released by the phone's next one, long before.
 */
const claimedMs = 60 * 60_000;

/** WhatsApp's servers keep a file for two weeks or more; what has not come within hours does not come. */
const maxAttempts = 6;
const growth = { firstMs: 30_000, longestMs: 2 * 60 * 60_000 };

/** The file of a message that came, to be fetched by the phone that it came to. */
export type ClaimedFetch = { message: MessageRow; attempts: number; mayAskAgain: boolean };

/** Has the file of a message fetched. Runs in the transaction that stores the message. */
export async function requestFetch(tx: Tx, message: Pick<MessageRow, 'account_id' | 'phone_id' | 'id'>): Promise<void> {
  if (message.phone_id === null) return;
  const now = tx.clock.now();
  const { account_id, phone_id, id: message_id } = message;
  await tx.db
    .insertInto('media_fetches')
    .values({ account_id, phone_id, message_id, due_at: now, created_at: now })
    .execute();
}

/**
 * Claims files that are due, so many for each phone at the most: those that the network should have, or (`mayAskAgain`)
 * those of which a handset is to be asked, which takes long and holds up none of the others.
 */
export async function claimFetches(
  ctx: Context,
  rooms: readonly { phoneId: number; room: number }[],
  mayAskAgain: boolean,
): Promise<ClaimedFetch[]> {
  if (rooms.length === 0) return [];
  const now = ctx.clock.now();
  const { rows } = await sql<MessageRow & { fetch_attempts: number }>`
    with due as (
      select f.account_id, f.message_id
        from unnest(${rooms.map(({ phoneId }) => phoneId)}::bigint[], ${rooms.map(({ room }) => room)}::int[])
               as p (phone_id, room)
       cross join lateral (
         select account_id, message_id from media_fetches
          where phone_id = p.phone_id and due_at <= ${now} and has_asked_again = ${mayAskAgain}
          order by due_at
          limit p.room
            for update skip locked
       ) f
    ), claimed as (
      update media_fetches f set due_at = ${new Date(now.getTime() + claimedMs)}, attempts = f.attempts + 1, is_claimed = true
        from due where f.account_id = due.account_id and f.message_id = due.message_id
      returning f.account_id, f.message_id, f.attempts
    )
    select m.*, claimed.attempts as fetch_attempts
      from claimed join messages m on m.account_id = claimed.account_id and m.id = claimed.message_id
  `.execute(ctx.db);
  return rows.map(({ fetch_attempts: attempts, ...message }) => ({ message, attempts, mayAskAgain }));
}

/** Makes fetches of the phone's earlier worker due at once. */
export async function releaseFetches(ctx: Context, lease: Lease): Promise<void> {
  await ctx.db
    .updateTable('media_fetches')
    .set({ due_at: ctx.clock.now(), is_claimed: false })
    .where('account_id', '=', lease.accountId)
    .where('phone_id', '=', lease.phoneId)
    .where('is_claimed', '=', true)
    .execute();
}

/** Fetches one file and notes what became of it: stored, failed, or to be tried again. */
export async function fetchIncoming(
  ctx: Context,
  { message, attempts, mayAskAgain }: ClaimedFetch,
  fetchMedia: (wanted: WantedMedia) => Promise<MediaFetch>,
): Promise<void> {
  const wanted = wantedOf(message, mayAskAgain);
  const fetched: MediaFetch = wanted
    ? await fetchMedia(wanted)
    : { kind: 'failed', reason: 'The message names no file' };
  if (fetched.kind === 'gone') return askAgain(ctx, message);
  if (fetched.kind === 'later' && attempts < maxAttempts) return tryLater(ctx, message, attempts);
  if (fetched.kind !== 'fetched') {
    ctx.logger.info({ messageId: message.id, reason: fetched.reason }, 'the file of a message could not be had');
    return finish(ctx, message, { state: 'failed' });
  }
  try {
    const { account_id: accountId, project_id: projectId } = message;
    const about = { accountId, projectId, fileName: message.media?.file_name ?? null };
    const file = await storeIncoming(ctx, fetched, about);
    const { id, mime_type, file_name, size, sha256 } = file;
    const has_thumbnail = file.thumbnail !== null;
    await finish(ctx, message, { id, mime_type, file_name, size, sha256, state: 'stored', has_thumbnail });
  } catch (error) {
    ctx.logger.warn({ err: error, messageId: message.id }, 'the file of a message could not be stored');
    // The file was there: storing it is tried for as long as the servers have it.
    await tryLater(ctx, message, attempts);
  } finally {
    await rm(fetched.path, { force: true });
  }
}

function wantedOf(message: MessageRow, mayAskAgain: boolean): WantedMedia | undefined {
  const { type, network_id, sender, recipient, direction, from_lid, media, media_source } = message;
  const mediaType = MediaType.safeParse(type);
  if (!mediaType.success || network_id === null || !media || !media_source) return undefined;
  const isFromHandset = direction === 'outgoing';
  const number = isFromHandset ? recipient : sender;
  const peer = number === null ? { lid: from_lid ?? '' } : { number };
  return {
    networkId: network_id,
    peer,
    isFromHandset,
    mayAskAgain,
    type: mediaType.data,
    source: fileSourceOf(media_source),
    sha256: media.sha256,
    size: media.size,
    maxBytes: maxUploadBytes,
  };
}

/** The handset is asked once, in the lane of those that take long. */
async function askAgain(ctx: Context, message: MessageRow): Promise<void> {
  await ctx.db
    .updateTable('media_fetches')
    .set({ has_asked_again: true, due_at: ctx.clock.now(), is_claimed: false })
    .where('account_id', '=', message.account_id)
    .where('message_id', '=', message.id)
    .execute();
}

async function tryLater(ctx: Context, message: MessageRow, attempts: number): Promise<void> {
  await ctx.db
    .updateTable('media_fetches')
    .set({ due_at: new Date(ctx.clock.now().getTime() + pauseAfter(attempts, growth)), is_claimed: false })
    .where('account_id', '=', message.account_id)
    .where('message_id', '=', message.id)
    .execute();
}

async function finish(ctx: Context, message: MessageRow, change: Partial<StoredMedia>): Promise<void> {
  const { account_id: accountId, project_id: projectId, id } = message;
  await inTransaction(ctx, async (tx) => {
    await tx.db.deleteFrom('media_fetches').where('account_id', '=', accountId).where('message_id', '=', id).execute();
    const after = await tx.db
      .updateTable('messages')
      // The file's source has served: its key is kept no longer.
      .set({ media: sql`media || ${JSON.stringify(change)}::jsonb`, media_source: withoutFileSource })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    if (!after) return;
    const type = change.state === 'stored' ? 'message.media_stored' : 'message.media_failed';
    // Nobody was told of a message of before the link.
    if (after.source !== 'history')
      await tx.onDomainEvents(tx, [{ accountId, projectId, at: tx.clock.now(), type, data: presentMessage(after) }]);
    await publishLive(tx, accountId, { type: 'messages.changed', project_id: projectId, message_ids: [id] });
  });
}

/** The file of a message that came to this phone is fetched soon, by whichever process holds the phone. */
export const wakeFetches = (ctx: Context, phoneId: number): Promise<void> =>
  inTransaction(ctx, (tx) => notify(tx.db, [{ channel: mediaFetchesChannel, payload: String(phoneId) }]));
