import { z } from 'zod';
import { NewBoundTemplate } from './bound-templates.ts';
import { NewCarriedMedia } from './carried-media.ts';
import { maxCaptionLength, maxTextLength } from './message-content.ts';
import { refuseWrongLinks } from './own-links.ts';
import { MessageText } from './new-message.ts';

/** A text that may be empty beside a file; `carriedTextFault` says the rest. */
export const CarriedText = z
  .string('Enter a message')
  .max(maxTextLength, `Use at most ${maxTextLength} characters`)
  .refine((text) => !text.includes('\u0000'), 'The message holds a character that cannot be sent')
  .superRefine(refuseWrongLinks);

export const carriedFields = {
  message: CarriedText.optional().describe(
    `The text; with a file its caption of at most ${maxCaptionLength} characters, which may be empty; with a template empty.`,
  ),
  media: NewCarriedMedia.nullable().optional().describe('A file that every message carries; null: none.'),
  template: NewBoundTemplate.nullable()
    .optional()
    .describe('A WhatsApp template in place of a text and a file; null: none. By numbers of the official API alone.'),
};

/** The fault of a text that goes with a file, or without one; undefined: none. */
export function carriedTextFault(text: string | undefined, hasMedia: boolean): string | undefined {
  if (!hasMedia) return MessageText.safeParse(text).error?.issues[0]?.message;
  return (text?.length ?? 0) > maxCaptionLength ? `Use at most ${maxCaptionLength} characters with a file` : undefined;
}

type Texted = { message?: string | undefined; media?: object | null | undefined; template?: object | null | undefined };

/** Of what is new: a file's caption is short, a message without a file has a text, and a template has neither. */
export function carriedFaults({ message, media, template }: Texted): { path: 'message' | 'media'; message: string }[] {
  const hasMedia = media !== undefined && media !== null;
  if (!template) {
    const fault = carriedTextFault(message, hasMedia);
    return fault === undefined ? [] : [{ path: 'message', message: fault }];
  }
  return [
    ...(message ? [{ path: 'message' as const, message: besideTemplate }] : []),
    ...(hasMedia ? [{ path: 'media' as const, message: besideTemplate }] : []),
  ];
}

export const besideTemplate = 'A template stands in place of it';

/** For `superRefine`. */
function requireText(texted: Texted, { issues, addIssue }: z.core.$RefinementCtx): void {
  if (typeof texted !== 'object' || texted === null) return;
  for (const { path, message } of carriedFaults(texted)) {
    if (!issues.some((issue) => issue.path?.[0] === path)) addIssue({ code: 'custom', path: [path], message });
  }
}

export const carriedTextRule: [typeof requireText, z.core.$ZodSuperRefineParams] = [requireText, { when: () => true }];
