import type { CarriedMedia, NewCarriedMedia } from '#contracts/carried-media.ts';
import { carriedTextFault } from '#contracts/carried-content.ts';
import { CarriedType } from '#contracts/carried-media.ts';
import type { AccountContext, Context, Tx } from '#server/context.ts';
import { InvalidInputError } from '#server/platform/errors.ts';
import { findFile } from './find-file.ts';
import { faultOf, holdMs, holdUntil } from './hold-media.ts';
import type { MediaFile } from './storing/store-file.ts';

const dayMs = 86_400_000;

/** `path` leads to the field `media` of the request, dotted; its text is beside it. */
type Asked = { media: NewCarriedMedia; path?: string };

/**
 * The file that every message of a campaign, a flow or a bulk run is to carry. Throws 422 where there is no such file, and
 * for one that cannot go so.
 */
async function findCarried(ctx: AccountContext, { media, path = 'media' }: Asked): Promise<CarriedMedia> {
  const refuse = (field: string, message: string) => new InvalidInputError([{ path: `${path}.${field}`, message }]);
  const file = await findFile(ctx, media.id);
  if (!file) throw refuse('id', 'There is no such file');
  if (file.state !== 'stored') throw refuse('id', removed);
  const type = media.type ?? typeOf(file);
  const fault = faultOf(type, file);
  if (fault !== undefined) throw refuse('id', fault);
  const { id, mime_type, size, sha256 } = file;
  const fileName = media.file_name ?? file.file_name;
  // The name that a picture was uploaded with is answered, and may come back.
  if (fileName !== file.file_name && type !== 'document') throw refuse('file_name', 'Only a document has one');
  return { id, type, mime_type, file_name: fileName, size, sha256, has_thumbnail: file.thumbnail !== null };
}

const removed = 'The file has been removed';

const typeOf = (file: MediaFile): CarriedType =>
  CarriedType.options.find((type) => faultOf(type, file) === undefined) ?? 'document';

/** The same in the transaction that stores who carries it; from there on it stays as long as that one may send. */
export async function takeCarried(tx: Tx<AccountContext>, asked: Asked): Promise<CarriedMedia> {
  const carried = await findCarried(tx, asked);
  if (await holdUntil(tx, tx.account.id, { mediaId: carried.id, until: tx.clock.now() })) return carried;
  throw new InvalidInputError([{ path: `${asked.path ?? 'media'}.id`, message: removed }]);
}

/** Whether messages that carry one carry the same as those that carry the other. */
export const isSameCarried = (one: CarriedMedia | null, other: CarriedMedia | null) =>
  one?.id === other?.id && one?.type === other?.type && one?.file_name === other?.file_name;

/**
 * Finds the file that a message under review would carry; the message may have no text yet. Throws 422 as sending it
 * would.
 */
export async function findReviewed(
  ctx: AccountContext,
  { media, message, path }: { media?: NewCarriedMedia | null | undefined; message: string; path?: string },
): Promise<CarriedMedia | null> {
  if (!media) return null;
  const carried = await findCarried(ctx, { media, ...(path !== undefined && { path }) });
  requireCarriedText(message, carried);
  return carried;
}

/** Throws 422 for a text that cannot stand beside its file, or without one. */
export function requireCarriedText(message: string, media: CarriedMedia | null, path = 'message'): void {
  const fault = carriedTextFault(message, media !== null);
  if (fault !== undefined) throw new InvalidInputError([{ path, message: fault }]);
}

/**
 * Keeps a file for some time after messages that carry it have gone, whose recipients' devices may ask for them again.
 * Once a day is enough. False: it has gone.
 */
export async function keepCarried(
  { db, clock }: Context,
  { accountId, mediaId }: { accountId: number; mediaId: string },
): Promise<boolean> {
  const now = clock.now().getTime();
  const file = await db
    .selectFrom('media_files')
    .select('expires_at')
    .where('account_id', '=', accountId)
    .where('id', '=', mediaId)
    .where('state', '=', 'stored')
    .executeTakeFirst();
  if (!file) return false;
  if (file.expires_at.getTime() >= now + holdMs - dayMs) return true;
  return holdUntil({ db }, accountId, { mediaId, until: new Date(now) });
}
