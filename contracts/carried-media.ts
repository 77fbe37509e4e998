import { z } from 'zod';
import { MediaType, maxCaptionLength, maxTextLength } from './message-content.ts';
import { MessageText } from './new-message.ts';

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
      .optional()
      .describe('What a document is called for its recipient.'),
  },
  'Name a file by its id',
);
export type NewCarriedMedia = z.output<typeof NewCarriedMedia>;

export const CarriedMedia = z.object({
  id: z.string(),
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

/** A text that may be empty beside a file; `carriedTextFault` says the rest. */
export const CarriedText = z
  .string('Enter a message')
  .max(maxTextLength, `Use at most ${maxTextLength} characters`)
  .refine((text) => !text.includes('\u0000'), 'The message holds a character that cannot be sent');

export const carriedFields = {
  message: CarriedText.describe(
    `The text; with a file its caption of at most ${maxCaptionLength} characters, which may be empty.`,
  ),
  media: NewCarriedMedia.nullable().optional().describe('A file that every message carries; null: none.'),
};

/** The fault of a text that goes with a file, or without one; undefined: none. */
export function carriedTextFault(text: string, hasMedia: boolean): string | undefined {
  if (!hasMedia) return MessageText.safeParse(text).error?.issues[0]?.message;
  return text.length > maxCaptionLength ? `Use at most ${maxCaptionLength} characters with a file` : undefined;
}

type Texted = { message: string; media?: object | null | undefined };

/** For `superRefine` of what is new: a file's caption is short, and a message without a file has a text. */
function requireText({ message, media }: Texted, { issues, addIssue }: z.core.$RefinementCtx): void {
  if (typeof message !== 'string' || issues.some(({ path }) => path?.[0] === 'message')) return;
  const fault = carriedTextFault(message, media !== undefined && media !== null);
  if (fault !== undefined) addIssue({ code: 'custom', path: ['message'], message: fault });
}

export const carriedTextRule: [typeof requireText, z.core.$ZodSuperRefineParams] = [requireText, { when: () => true }];
