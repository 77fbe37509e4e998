/** A process that cuts a picture to the square in which a person is shown. */
import sharp from 'sharp';
import { answerTask } from '../read-in-child.ts';

export type Portrait = { jpeg: Uint8Array };

const maxPixels = 100_000_000;
/** WhatsApp's own apps send their pictures so large. */
const side = 640;

sharp.concurrency(1);
sharp.cache(false);

answerTask(async ({ input }: { input: string }): Promise<Portrait> => {
  const jpeg = await sharp(input, { limitInputPixels: maxPixels, failOn: 'error' })
    .autoOrient()
    .resize(side, side, { fit: 'cover' })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 80 })
    .toBuffer();
  return { jpeg: new Uint8Array(jpeg) };
});
