import { createHash, randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { MediaType, OutgoingContent } from '#contracts/message-content.ts';
import { MediaMissingError } from '#server/connectors/messaging/port.ts';
import type { MediaAccess, OpenedMedia } from '#server/connectors/messaging/port.ts';

/** Files of a phone's messages, and where the network has them. */
export class MemoryMedia implements MediaAccess {
  readonly files = new Map<string, Buffer>();
  /** How its temporary files are called. */
  readonly prefix = `dovepost-test-${randomBytes(6).toString('hex')}-`;
  readonly uploads = new Map<string, Record<string, string>>();

  /** A message that carries these bytes. */
  content(
    type: MediaType,
    bytes: Buffer,
    fields: { text?: string; mimeType?: string; fileName?: string } = {},
  ): OutgoingContent {
    const id = `media_${randomBytes(8).toString('hex')}`;
    this.files.set(id, bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const { text = '', mimeType: mime_type = 'image/jpeg', fileName: file_name = null } = fields;
    return { type, text, media: { id, mime_type, file_name, size: bytes.length, sha256 } };
  }

  async open(mediaId: string): Promise<OpenedMedia> {
    const bytes = this.files.get(mediaId);
    if (!bytes) throw new MediaMissingError('Its file was removed before it was sent');
    return {
      bytes: Readable.from([bytes]),
      thumbnail: new Uint8Array([1, 2]),
      width: 40,
      height: 20,
      durationMs: 2600,
      waveform: new Uint8Array([0, 100]),
    };
  }

  async findUpload(mediaId: string, type: MediaType) {
    return this.uploads.get(`${type}/${mediaId}`);
  }

  async saveUpload(mediaId: string, type: MediaType, reference: Record<string, string>) {
    this.uploads.set(`${type}/${mediaId}`, reference);
  }

  async temporaryPath(): Promise<string> {
    return join(tmpdir(), `${this.prefix}${randomBytes(6).toString('hex')}`);
  }
}
