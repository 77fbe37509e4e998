import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { IncomingContent, MediaAccess, MediaFetch, WantedMedia } from '../port.ts';

/** A PNG of one red pixel (RFC 2083). */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
);
const sha256 = createHash('sha256').update(png).digest('hex');

/** The picture that a recipient replies with. */
export const pictureAnswer: IncomingContent = {
  type: 'image',
  text: 'A picture from the sandbox',
  media: { mimeType: 'image/png', fileName: null, size: png.length, sha256, source: { sandbox: 'picture' } },
};

export async function fetchSandboxMedia(
  { source }: WantedMedia,
  { temporaryPath }: Pick<MediaAccess, 'temporaryPath'>,
): Promise<MediaFetch> {
  if (source['sandbox'] !== 'picture') return { kind: 'failed', reason: 'The sandbox has no such file' };
  try {
    const path = await temporaryPath();
    await writeFile(path, png, { mode: 0o600 });
    return { kind: 'fetched', path, size: png.length, sha256 };
  } catch (error) {
    return { kind: 'later', reason: error instanceof Error ? error.message : 'It could not be written' };
  }
}
