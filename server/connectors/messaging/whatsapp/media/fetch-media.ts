import { rm } from 'node:fs/promises';
import type { Agent } from 'node:http';
import type { MediaFetch, WantedMedia } from '../../port.ts';
import type { AskedAgain, AskedMessage } from './ask-again.ts';
import { DownloadError, downloadFile } from './download-file.ts';
import type { DownloadTimes } from './download-file.ts';

export type FetchMediaOptions = {
  /** Where media is, such as `https://mmg.whatsapp.net`. */
  mediaOrigin: string;
  agent: Agent | undefined;
  times: DownloadTimes;
  signal: AbortSignal;
  temporaryPath(): Promise<string>;
  /** The address of the conversation, as the network has it. */
  chat: string;
  askAgain(message: AskedMessage): Promise<AskedAgain>;
};

const bytes = (base64: string | undefined) => (base64 === undefined ? undefined : Buffer.from(base64, 'base64'));

const keyBytes = 32;

/** Fetches the file of a message to a temporary path; asks the handset once where the servers have it no longer. Never rejects. */
export async function fetchMedia(wanted: WantedMedia, options: FetchMediaOptions): Promise<MediaFetch> {
  const { directPath, mediaKey: key, fileEncSha256 } = wanted.source;
  const mediaKey = bytes(key);
  if (mediaKey?.length !== keyBytes) return { kind: 'failed', reason: 'The message carries no key to its file' };
  const file = {
    type: wanted.type,
    mediaKey,
    encryptedSha256: bytes(fileEncSha256),
    sha256: wanted.sha256,
    size: wanted.size,
    maxBytes: wanted.maxBytes,
  };
  const [encrypted, plain] = [await options.temporaryPath(), await options.temporaryPath()];
  const attempt = async (path: string | undefined): Promise<MediaFetch> => {
    const urls = urlsOf(path, options.mediaOrigin);
    const found = await downloadFile(file, { encrypted, plain }, { ...options, urls });
    return { kind: 'fetched', path: plain, ...found };
  };
  try {
    return await attempt(directPath).catch(async (error: unknown) => {
      const isGone = error instanceof DownloadError && error.kind === 'gone';
      if (!isGone) throw error;
      if (!wanted.mayAskAgain) return { kind: 'gone', reason: error.message };
      const { networkId, isFromHandset } = wanted;
      const answer = await options.askAgain({ networkId, isFromHandset, chat: options.chat, mediaKey });
      if (answer.kind !== 'uploaded') {
        const reason =
          answer.kind === 'silent' ? 'The handset did not upload it again' : 'The handset has it no longer';
        return { kind: 'failed', reason };
      }
      return attempt(answer.directPath);
    });
  } catch (error) {
    await rm(plain, { force: true });
    return outcomeOf(error);
  } finally {
    await rm(encrypted, { force: true });
  }
}

function outcomeOf(error: unknown): MediaFetch {
  const reason = error instanceof Error ? error.message : 'It could not be fetched';
  const mayCome = !(error instanceof DownloadError) || error.kind === 'away';
  return { kind: mayCome ? 'later' : 'failed', reason };
}

/** A path of the servers' own alone: what a message says of hosts is a stranger's word. */
function urlsOf(path: string | undefined, mediaOrigin: string): URL[] {
  const url = path?.startsWith('/') ? URL.parse(path, mediaOrigin) : null;
  return url && url.origin === new URL(mediaOrigin).origin ? [url] : [];
}
