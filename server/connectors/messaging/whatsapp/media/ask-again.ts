import { decryptMediaRetryData, encryptMediaRetryRequest, proto } from 'baileys';
import type { BaileysEventMap, WASocket } from 'baileys';

const answerMs = 45_000;

/** The message whose file is wanted again. */
export type AskedMessage = { networkId: string; chat: string; isFromHandset: boolean; mediaKey: Uint8Array };

/** The handset's answer: it uploaded the file again to `directPath`, does not have it, or did not answer in time. */
export type AskedAgain = { kind: 'uploaded'; directPath: string } | { kind: 'refused' } | { kind: 'silent' };

/** Asks a phone for a single upload at a time: handsets answer few. */
export class UploadAgain {
  readonly #sock: WASocket;
  #last: Promise<unknown> = Promise.resolve();

  constructor(sock: WASocket) {
    this.#sock = sock;
  }

  /** Asks the handset to upload a file once more. Never rejects. */
  ask(message: AskedMessage, signal: AbortSignal): Promise<AskedAgain> {
    const answer = this.#last.then(() => this.#ask(message, signal));
    this.#last = answer;
    return answer;
  }

  async #ask({ networkId, chat, isFromHandset, mediaKey }: AskedMessage, signal: AbortSignal): Promise<AskedAgain> {
    const { ev } = this.#sock;
    const own = this.#sock.user?.id;
    if (signal.aborted || own === undefined) return { kind: 'silent' };
    const { promise, resolve } = Promise.withResolvers<AskedAgain>();
    const onUpdate = (updates: BaileysEventMap['messages.media-update']) => {
      const update = updates.find(({ key }) => key.id === networkId);
      if (update) resolve(readAnswer(update, mediaKey, networkId));
    };
    const giveUp = () => resolve({ kind: 'silent' });
    const timer = setTimeout(giveUp, answerMs);
    signal.addEventListener('abort', giveUp, { once: true });
    ev.on('messages.media-update', onUpdate);
    try {
      const key = { remoteJid: chat, fromMe: isFromHandset, id: networkId };
      await this.#sock.sendNode(encryptMediaRetryRequest(key, Buffer.from(mediaKey), own));
      return await promise;
    } catch {
      return { kind: 'silent' };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      ev.off('messages.media-update', onUpdate);
    }
  }
}

function readAnswer(
  { media, error }: BaileysEventMap['messages.media-update'][number],
  mediaKey: Uint8Array,
  networkId: string,
): AskedAgain {
  if (error || !media) return { kind: 'refused' };
  try {
    const { result, directPath } = decryptMediaRetryData(media, mediaKey, networkId);
    const isThere = result === proto.MediaRetryNotification.ResultType.SUCCESS;
    return isThere && directPath ? { kind: 'uploaded', directPath } : { kind: 'refused' };
  } catch {
    return { kind: 'refused' };
  }
}
