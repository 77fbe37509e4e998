import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { firstLink } from '#contracts/first-link.ts';
import type { MessagePreview } from '#contracts/message-content.ts';
import type { LinkPreview } from '#server/connectors/messaging/port.ts';
import type { AccountContext, Context } from '#server/context.ts';
import { fetchUrl } from './fetch-url.ts';
import { preparePicture } from './pictures/prepare-picture.ts';
import { readPageHead } from './read-page-head.ts';
import { spool, temporaryPath } from './storing/spool.ts';

const pageBytes = 256 * 1024;
const pictureBytes = 1024 * 1024;
const pageMs = 3_000;
const pictureMs = 2_000;
const keptMs = 10 * 60_000;
const maxKept = 1_000;

type Asked = { accountId: number; text: string };

/** Of this process, by account and link: a page is asked once in a while, however many messages name it. */
type Kept = { until: number; preview: Promise<LinkPreview | undefined>; found?: LinkPreview | undefined };
const kept = new Map<string, Kept>();

/** Pages that people of one account look at while they write; each is asked once, however fast somebody types. */
const maxLooking = 4;
const looking = new Map<number, number>();

/**
 * The preview of the first link in a text: title, description and picture as its page names them. Goes only where webhooks
 * may go; a page that is slow, large or anything but HTML has none. Never rejects.
 */
export async function findLinkPreview(ctx: Context, { accountId, text }: Asked): Promise<LinkPreview | undefined> {
  const url = firstLink(text);
  if (url === undefined) return undefined;
  const key = `${accountId} ${url}`;
  const now = ctx.clock.now().getTime();
  const known = kept.get(key);
  if (known && known.until > now) return known.preview;
  const entry: Kept = {
    until: now + keptMs,
    preview: readPreview(ctx, accountId, url).then(
      (found) => (entry.found = found),
      () => undefined,
    ),
  };
  kept.delete(key);
  kept.set(key, entry);
  const [oldest] = kept.keys();
  if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
  return entry.preview;
}

/** The same where this process knows it already: no page is asked. */
export function knownPreview(ctx: Context, { accountId, text }: Asked): LinkPreview | undefined {
  const entry = kept.get(`${accountId} ${firstLink(text)}`);
  return entry && entry.until > ctx.clock.now().getTime() ? entry.found : undefined;
}

/** A larger one is not worth its place in each record of the message. */
const mostShownBytes = 8 * 1024;

/** How a preview is kept with a message, and shown. */
export function shownPreview({ thumbnail, ...shown }: LinkPreview): MessagePreview {
  const isShown = thumbnail !== null && thumbnail.length <= mostShownBytes;
  const picture = isShown ? `data:image/jpeg;base64,${Buffer.from(thumbnail).toString('base64')}` : null;
  return { ...shown, picture };
}

/** For somebody who is writing. */
export async function previewLink(
  ctx: AccountContext,
  { url }: { url: string },
): Promise<{ preview: MessagePreview | null }> {
  const accountId = ctx.account.id;
  const others = looking.get(accountId) ?? 0;
  if (others >= maxLooking) return { preview: null };
  looking.set(accountId, others + 1);
  try {
    const found = await findLinkPreview(ctx, { accountId, text: url });
    return { preview: found ? shownPreview(found) : null };
  } finally {
    const left = (looking.get(accountId) ?? 1) - 1;
    if (left === 0) looking.delete(accountId);
    else looking.set(accountId, left);
  }
}

async function readPreview(ctx: Context, accountId: number, url: string): Promise<LinkPreview | undefined> {
  const head = await fetchUrl(
    ctx,
    url,
    async ({ bytes, contentType }) => (/^text\/html\b/i.test(contentType) ? readPageHead(bytes, pageBytes) : undefined),
    { deadlineMs: pageMs },
  );
  if (head?.title === undefined) return undefined;
  const { title, description = null, picture } = head;
  const address = picture === undefined ? undefined : URL.parse(picture, url)?.href;
  const thumbnail = address === undefined ? null : await readPicture(ctx, accountId, address).catch(() => null);
  return { url, title, description, thumbnail };
}

async function readPicture(ctx: Context, accountId: number, url: string): Promise<Uint8Array | null> {
  const path = await temporaryPath(ctx);
  try {
    const onTooLarge = () => new Error('The picture is too large');
    const take = ({ bytes }: { bytes: Readable }) => spool(ctx, bytes, { path, maxBytes: pictureBytes, onTooLarge });
    await fetchUrl(ctx, url, take, { deadlineMs: pictureMs });
    const picture = await preparePicture(accountId, { input: path, output: '', keepsMetadata: true });
    return picture?.thumbnail ?? null;
  } finally {
    await rm(path, { force: true });
  }
}
