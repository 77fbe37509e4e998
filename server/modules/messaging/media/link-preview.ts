import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { LinkPreview } from '#server/connectors/messaging/port.ts';
import type { Context } from '#server/context.ts';
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
const kept = new Map<string, { until: number; preview: Promise<LinkPreview | undefined> }>();

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
  const preview = readPreview(ctx, accountId, url).catch(() => undefined);
  kept.delete(key);
  kept.set(key, { until: now + keptMs, preview });
  const [oldest] = kept.keys();
  if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
  return preview;
}

/** As people write them: what ends the sentence is not part of it. */
function firstLink(text: string): string | undefined {
  const [found] = /https?:\/\/[^\s<>"]{4,2000}/i.exec(text) ?? [];
  return found?.replace(/[.,;:!?)\]}'*_~]+$/, '');
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
