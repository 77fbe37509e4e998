/** A process that looks at one picture: whether it can be read, what it measures, and what its file says besides. */
import sharp from 'sharp';
import { answerTask } from '../read-in-child.ts';

export type PictureTask = {
  input: string;
  /** Where a cleaned copy goes, if it needs to be cleaned. */
  output: string;
  keepsMetadata: boolean;
};

export type Picture = {
  width: number;
  height: number;
  isAnimated: boolean;
  thumbnail: Uint8Array;
  /** The copy at `output` is there, and is to be used. */
  isRewritten: boolean;
};

const maxPixels = 100_000_000;
const thumbnailPixels = 100;

// Decoding one picture is enough work for one thread.
sharp.concurrency(1);
sharp.cache(false);

answerTask(async ({ input, output, keepsMetadata }: PictureTask): Promise<Picture> => {
  const options = { limitInputPixels: maxPixels, failOn: 'error' } as const;
  // Of the head alone: nothing of a picture that is too large is decoded.
  const metadata = await sharp(input, options).metadata();
  const { format, orientation = 1, pages = 1, exif, iptc, xmp, comments } = metadata;
  const isAnimated = pages > 1;
  const saysMore =
    orientation > 1 || exif !== undefined || iptc !== undefined || xmp !== undefined || (comments?.length ?? 0) > 0;
  const isRewritten =
    !keepsMetadata && !isAnimated && saysMore && (format === 'jpeg' || format === 'png' || format === 'webp');
  if (isRewritten) {
    await sharp(input, options).autoOrient().keepIccProfile().toFormat(format, { quality: 90 }).toFile(output);
  }
  // The whole picture is decoded for it: what is broken further down is found now.
  const { data } = await sharp(isRewritten ? output : input, options)
    .autoOrient()
    .resize(thumbnailPixels, thumbnailPixels, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 60 })
    .toBuffer({ resolveWithObject: true });
  const { autoOrient: shown } = metadata;
  return {
    width: shown.width,
    height: shown.height,
    isAnimated,
    thumbnail: new Uint8Array(data),
    isRewritten,
  };
});
