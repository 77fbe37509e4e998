import { z } from 'zod';
import { MediaType } from './message-content.ts';

export const CarriedType = MediaType.extract(['image', 'video', 'document']);
export type CarriedType = z.infer<typeof CarriedType>;

/** The one file that every message of a campaign, a flow or a bulk run carries; the text is its caption. */
export const NewCarriedMedia = z.object(
  {
    id: z.string('Name a file by its id').min(1, 'Name a file by its id').max(100).describe('Of `POST /api/media`.'),
    type: CarriedType.optional().describe(
      'How it is sent; left out, a picture or a video that fits as one goes as such, and anything else as a document.',
    ),
    file_name: z
      .string()
      .trim()
      .min(1, 'Enter a file name')
      .max(200, 'Use at most 200 characters')
      .nullable()
      .optional()
      .describe('What a document is called for its recipient; null: as it was uploaded.'),
  },
  'Name a file by its id',
);
export type NewCarriedMedia = z.output<typeof NewCarriedMedia>;

export const CarriedMedia = z.object({
  id: z.string().describe('Its id.'),
  type: CarriedType.describe('How it is sent.'),
  mime_type: z.string().describe('As its content says.'),
  file_name: z.string().nullable().describe('What a document is called for its recipient.'),
  size: z.int().nonnegative().describe('Bytes.'),
  sha256: z.string().describe('Hexadecimal.'),
  has_thumbnail: z
    .boolean()
    .optional()
    .describe('Whether there is a small picture of it; left out where that is not known.'),
});
export type CarriedMedia = z.infer<typeof CarriedMedia>;
