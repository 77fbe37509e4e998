import { z } from 'zod';
import { Timestamp } from './page.ts';

/** Of a text, in code points. */
export const maxTextLength = 4096;

/** Of what stands below a picture, a film or a document. */
export const maxCaptionLength = 1024;

/**
 * What a message carries. A record of type `reaction` is one that was sent from here: `reply_to` names the message, and
 * `message` is the emoji. `unsupported` is what the network has and we cannot show.
 */
export const MessageType = z.enum([
  'text',
  'image',
  'video',
  'audio',
  'voice',
  'document',
  'sticker',
  'location',
  'contact',
  'reaction',
  'unsupported',
]);
export type MessageType = z.infer<typeof MessageType>;

export const MediaType = MessageType.extract(['image', 'video', 'audio', 'voice', 'document', 'sticker']);
export type MediaType = z.infer<typeof MediaType>;

/** A file as it is sent: `id` names it in the store. */
export type OutgoingMedia = {
  id: string;
  mime_type: string;
  file_name: string | null;
  size: number;
  sha256: string;
  has_thumbnail?: boolean | undefined;
};

/** What can be sent; whoever reads one must handle every kind. An empty `emoji` takes a reaction back. */
export type OutgoingContent =
  | { type: 'text'; text: string }
  | { type: MediaType; text: string; media: OutgoingMedia }
  | { type: 'location'; location: MessageLocation }
  | { type: 'contact'; contacts: SharedContact[] }
  | { type: 'reaction'; emoji: string };

/** `pending` until the bytes are here, `failed` when they could not be had, `gone` once they were removed. */
export const MessageMedia = z.object({
  id: z.string().nullable(),
  mime_type: z.string().nullable(),
  file_name: z.string().nullable(),
  size: z.int().nonnegative().nullable().describe('Bytes.'),
  sha256: z.string().nullable().describe('Hexadecimal.'),
  state: z.enum(['pending', 'stored', 'failed', 'gone']),
  has_thumbnail: z.boolean().describe('Whether `GET /api/media/{mediaId}/thumbnail` has a small picture of it.'),
});
export type MessageMedia = z.infer<typeof MessageMedia>;

export const MessageLocation = z.object({
  latitude: z.number(),
  longitude: z.number(),
  name: z.string().nullable(),
  address: z.string().nullable(),
});
export type MessageLocation = z.infer<typeof MessageLocation>;

/** A contact card; `phone` as its sender wrote it. */
export const SharedContact = z.object({
  name: z.string(),
  phones: z.array(z.object({ phone: z.string(), type: z.string().nullable() })),
});
export type SharedContact = z.infer<typeof SharedContact>;

/** One reaction for each side of the conversation; `from_me` is the account's own. */
export const MessageReaction = z.object({ emoji: z.string(), from_me: z.boolean(), at: Timestamp });
export type MessageReaction = z.infer<typeof MessageReaction>;

/**
 * What had a message sent; null for one from outside. `inbox`: somebody wrote it in the conversation. `handset`: the owner
 * wrote it on a device of their own. `opt_out`: it confirms that its recipient opted out, or in.
 */
export const MessageSource = z.enum(['api', 'inbox', 'campaign', 'flow', 'bulk_run', 'handset', 'opt_out']);
export type MessageSource = z.infer<typeof MessageSource>;
