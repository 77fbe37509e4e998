import { createHash } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { MediaAccess, MediaFetch, OutgoingContent, WantedMedia } from '../port.ts';
import type { CloudCredentials } from './credentials.ts';
import { faultText } from './graph.ts';
import type { Graph, GraphAnswer } from './graph.ts';

type MediaContent = Extract<OutgoingContent, { media: unknown }>;

const UploadAnswer = z.object({ id: z.string() });
const MediaAnswer = z.object({ url: z.string() });

/** Meta keeps an upload for 30 days. */
const uploadLastsMs = 29 * 24 * 60 * 60_000;
const transferTimeoutMs = 5 * 60_000;
/** As the Cloud API's table has it for voice notes. */
const typeFor = ({ type, media }: MediaContent) => (type === 'voice' ? 'audio/ogg' : media.mime_type);

/** The id of a file at Meta: of an earlier upload that still lasts, or of a new one. Rejects as `MediaAccess.open` does. */
export async function uploadMedia(
  graph: Graph,
  {
    credentials,
    media,
    content,
    now,
  }: { credentials: CloudCredentials; media: MediaAccess; content: MediaContent; now: Date },
): Promise<GraphAnswer<{ id: string }>> {
  const known = await media.findUpload(content.media.id, content.type);
  if (known?.['id'] && Number(known['expires_at']) > now.getTime())
    return { kind: 'answered', body: { id: known['id'] } };
  const path = await media.temporaryPath();
  try {
    const { bytes } = await media.open(content.media.id);
    await pipeline(bytes, (await open(path, 'w')).createWriteStream());
    const type = typeFor(content);
    const form = new FormData();
    form.set('messaging_product', 'whatsapp');
    form.set('type', type);
    form.set('file', await openAsBlob(path, { type }), content.media.file_name ?? content.media.id);
    const answer = await graph.call({
      method: 'POST',
      path: `${credentials.phone_number_id}/media`,
      token: credentials.access_token,
      form,
      answer: UploadAnswer,
      timeoutMs: transferTimeoutMs,
    });
    if (answer.kind === 'answered') {
      const reference = { id: answer.body.id, expires_at: String(now.getTime() + uploadLastsMs) };
      await media.saveUpload(content.media.id, content.type, reference);
    }
    return answer;
  } finally {
    await rm(path, { force: true });
  }
}

/** Codes of a file that is there no longer. */
const goneCodes = new Set([33, 100, 131052]);

/** Fetches the file of a message that came. Its address lasts five minutes, so it is looked up each time. */
export async function fetchCloudMedia(
  graph: Graph,
  { credentials, media, wanted }: { credentials: CloudCredentials; media: MediaAccess; wanted: WantedMedia },
): Promise<MediaFetch> {
  const found = await graph.call({
    method: 'GET',
    path: `${wanted.source['id']}?phone_number_id=${credentials.phone_number_id}`,
    token: credentials.access_token,
    answer: MediaAnswer,
  });
  if (found.kind === 'fault') {
    const reason = faultText(found.fault);
    // Nobody can be asked to upload it again.
    return { kind: goneCodes.has(found.fault.code) ? 'failed' : 'later', reason };
  }
  if (found.kind !== 'answered') return { kind: 'later', reason: found.reason };
  const { url } = found.body;
  if (!graph.mayFetch(url)) return { kind: 'failed', reason: 'Meta named an address that is not its own' };
  const path = await media.temporaryPath();
  const kept = await download(url, { token: credentials.access_token, path, wanted });
  if (kept.kind !== 'fetched') await rm(path, { force: true });
  return kept;
}

async function download(
  url: string,
  { token, path, wanted }: { token: string; path: string; wanted: WantedMedia },
): Promise<MediaFetch> {
  const hash = createHash('sha256');
  let size = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      hash.update(chunk);
      done(size > wanted.maxBytes ? new Error(tooLarge) : null, chunk);
    },
  });
  try {
    const { fetch } = await import('undici');
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${token}` },
      redirect: 'error',
      signal: AbortSignal.timeout(transferTimeoutMs),
    });
    if (response.status === 404) return { kind: 'later', reason: 'The address of the file is no longer good' };
    if (!response.ok || !response.body) return { kind: 'later', reason: `Meta answered ${response.status}` };
    await pipeline(response.body, measure, (await open(path, 'w')).createWriteStream());
  } catch (error) {
    const { message } = error as Error;
    return { kind: message === tooLarge ? 'failed' : 'later', reason: message };
  }
  const sha256 = hash.digest('hex');
  const { size: written } = await stat(path);
  if (wanted.sha256 !== null && wanted.sha256 !== sha256)
    return { kind: 'failed', reason: 'The file is not the one that was sent' };
  return { kind: 'fetched', path, size: written, sha256 };
}

const tooLarge = 'The file is larger than what is taken';
