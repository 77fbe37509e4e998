import { rm } from 'node:fs/promises';
import type { Agent } from 'node:http';
import type { MediaType, OutgoingContent } from '#contracts/message-content.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { MediaAccess } from '../../port.ts';
import { encryptFile } from './encrypt-file.ts';
import type { MediaConnection } from './media-connection.ts';
import { uploadFile } from './upload-file.ts';
import type { UploadTimes } from './upload-file.ts';

export type MediaContent = Extract<OutgoingContent, { media: unknown }>;

/** Where WhatsApp has a file, and how it is encrypted there; bytes in base64. */
export type MediaReference = {
  url: string;
  directPath: string;
  mediaKey: string;
  fileEncSha256: string;
  /** Milliseconds. */
  uploadedAt: string;
  thumbnail?: string;
  width?: string;
  height?: string;
  /** Whole ones. */
  seconds?: string;
  waveform?: string;
};

/** Files age out of the servers after two weeks or more; long before that they are uploaded anew. */
const freshMs = 3 * 24 * 60 * 60_000;

export type MediaUploadsOptions = {
  access: MediaAccess;
  clock: Clock;
  protocol: string;
  agent: Agent | undefined;
  times: UploadTimes;
};

/** A phone's uploads: each file once, however many messages carry it, over restarts too. */
export class MediaUploads {
  readonly #options: MediaUploadsOptions;
  readonly #underWay = new Map<string, Promise<MediaReference>>();

  constructor(options: MediaUploadsOptions) {
    this.#options = options;
  }

  /** Where the file of a message that was sent is, as far as that is known. */
  async find({ type, media }: MediaContent): Promise<MediaReference | undefined> {
    return (await this.#options.access.findUpload(media.id, type)) as MediaReference | undefined;
  }

  /** Where the file is, uploaded if it is not there, or no longer for sure. */
  provide(content: MediaContent, connection: MediaConnection): Promise<MediaReference> {
    const key = `${content.type}/${content.media.id}`;
    const joined = this.#underWay.get(key);
    if (joined) return joined;
    const started = this.#provide(content, connection).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, started);
    return started;
  }

  async #provide(content: MediaContent, connection: MediaConnection): Promise<MediaReference> {
    const known = await this.find(content);
    const nowMs = this.#options.clock.now().getTime();
    if (known && nowMs - Number(known.uploadedAt) < freshMs) return known;
    const reference = await this.#upload(content.type, content.media.id, connection);
    await this.#options.access.saveUpload(content.media.id, content.type, reference);
    return reference;
  }

  async #upload(type: MediaType, mediaId: string, connection: MediaConnection): Promise<MediaReference> {
    const { access, clock } = this.#options;
    const { bytes, thumbnail, width, height, durationMs, waveform } = await access.open(mediaId);
    const path = await access.temporaryPath();
    try {
      const file = await encryptFile(bytes, { path, type });
      const place = await uploadFile(file, { ...this.#options, connection, type });
      return {
        ...place,
        mediaKey: file.mediaKey.toString('base64'),
        fileEncSha256: file.encryptedSha256.toString('base64'),
        uploadedAt: String(clock.now().getTime()),
        ...(thumbnail && { thumbnail: Buffer.from(thumbnail).toString('base64') }),
        ...(width !== null && { width: String(width) }),
        ...(height !== null && { height: String(height) }),
        ...(durationMs !== null && { seconds: String(Math.max(1, Math.round(durationMs / 1000))) }),
        ...(waveform && { waveform: Buffer.from(waveform).toString('base64') }),
      };
    } finally {
      bytes.destroy();
      await rm(path, { force: true });
    }
  }
}
