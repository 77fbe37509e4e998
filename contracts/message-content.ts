import { z } from 'zod';
import type { HeaderMedia, SentComponent } from './whatsapp-template-parts.ts';
import { Timestamp } from './page.ts';

/** Of a text, in code points. */
export const maxTextLength = 4096;

/** Of what stands below a picture, a film or a document. */
export const maxCaptionLength = 1024;

/** Milliseconds after sending in which WhatsApp lets the text be changed, and the message be deleted for everybody. */
export const editableMs = 15 * 60_000;
export const deletableMs = 60 * 60 * 60_000;

/**
 * The type of a message's content. A record of type `reaction`, `edit` or `deletion` is a change that was sent from
 * here: `reply_to` names the message, and `message` is the emoji or the new text. `waiting` cannot be read yet: once it
 * can, the record becomes what it is. `number_request` asks a person who hides the number for it. `unsupported` is what the network has and we cannot show.
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
  'edit',
  'deletion',
  'poll',
  'number_request',
  'template',
  'order',
  'payment',
  'call',
  'waiting',
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

/** The content of a message to send; readers must handle every kind. An empty `emoji` takes a reaction back. */
export type OutgoingContent =
  | { type: 'text'; text: string }
  | { type: MediaType; text: string; media: OutgoingMedia }
  | { type: 'location'; location: MessageLocation }
  | { type: 'contact'; contacts: SharedContact[] }
  | { type: 'reaction'; emoji: string }
  | { type: 'poll'; text: string; poll: Omit<MessagePoll, 'votes'> }
  | { type: 'number_request' }
  | { type: 'template'; text: string; template: OutgoingTemplate }
  | { type: 'edit'; text: string }
  | { type: 'deletion' };

/** How a film is shown: as an animation without sound that goes on and on, or as a round video message. */
export const PlayAs = z.enum(['gif', 'round']);
export type PlayAs = z.infer<typeof PlayAs>;

/** How a message is sent, besides its content. */
export type SendingManner = {
  /** A text goes without a preview of its link. */
  preview?: false;
  /** Digits, or `lid:` and a LID. */
  mentions?: string[];
  forwarded?: true;
  play_as?: PlayAs;
};

/** A template with its variables filled; `components` are those of the send, without the media of the header. */
export type OutgoingTemplate = MessageTemplate & {
  business_account_id: string;
  components: SentComponent[];
  header_media: { type: HeaderMedia; media: OutgoingMedia } | null;
};

const changeTypes: ReadonlySet<MessageType> = new Set(['reaction', 'edit', 'deletion']);

/** Whether a record is a change of another message, which shows it. */
export const isChange = (type: MessageType): boolean => changeTypes.has(type);

/** `pending` until the bytes are here, `failed` when they could not be had, `gone` once they were removed. */
export const MessageMedia = z.object({
  id: z.string().nullable().describe('Its id.'),
  mime_type: z.string().nullable().describe('What kind of file it is.'),
  file_name: z.string().nullable().describe('What the file is called.'),
  size: z.int().nonnegative().nullable().describe('Bytes.'),
  sha256: z.string().nullable().describe('Hexadecimal.'),
  state: z.enum(['pending', 'stored', 'failed', 'gone']).describe('Whether the bytes are here.'),
  has_thumbnail: z.boolean().describe('Whether `GET /api/media/{mediaId}/thumbnail` has a small picture of it.'),
});
export type MessageMedia = z.infer<typeof MessageMedia>;

export const MessageLocation = z.object({
  latitude: z.number().describe('Degrees, north positive.'),
  longitude: z.number().describe('Degrees, east positive.'),
  name: z.string().nullable().describe('Its name, for people.'),
  address: z.string().nullable().describe('The address, as its sender wrote it.'),
});
export type MessageLocation = z.infer<typeof MessageLocation>;

/** A contact card; `phone` as its sender wrote it. */
export const SharedContact = z.object({
  name: z.string().describe('Its name, for people.'),
  phones: z
    .array(
      z.object({
        phone: z.string().describe('The full number with the calling code, digits.'),
        type: z.string().nullable().describe('What kind it is.'),
      }),
    )
    .describe('The numbers on the card.'),
});
export type SharedContact = z.infer<typeof SharedContact>;

/** The full choice of a side: an earlier vote is replaced, and an empty one takes it back. */
export const PollVote = z.object({
  from_me: z.boolean().describe("Whether it is the account's own."),
  options: z.array(z.string()).describe('As the poll has them.'),
  at: Timestamp.describe('When it was made.'),
});
export type PollVote = z.infer<typeof PollVote>;

export const MessagePoll = z.object({
  question: z.string().describe('What is asked.'),
  options: z.array(z.string()).describe('What can be chosen.'),
  multiple: z.boolean().describe('Whether more than one option may be chosen.'),
  votes: z.array(PollVote).describe('The newest of each side.'),
});
export type MessagePoll = z.infer<typeof MessagePoll>;

/** The template that a message was made of, with its variables filled; the body is the text of the message. */
export const MessageTemplate = z.object({
  name: z.string().describe('Its name, for people.'),
  language: z.string().describe('As the network has it, such as `pt_BR`.'),
  category: z.string().describe('`marketing`, `utility` or `authentication`, when it was accepted.'),
  header: z.string().nullable().describe('The text above the message.'),
  footer: z.string().nullable().describe('The text below it.'),
  buttons: z.array(z.string()).describe('The words on its buttons.'),
});
export type MessageTemplate = z.infer<typeof MessageTemplate>;

const Amount = z.string().nullable().describe('Decimal, such as `1499.90`.');
const Currency = z.string().nullable().describe('ISO 4217.');

/** How Meta counted a delivered message of the official API. */
export const MessagePricing = z.object({
  category: z.string().describe('`marketing`, `utility`, `authentication`, `service` and others.'),
  billed: z.boolean().describe('Whether Meta bills it.'),
});
export type MessagePricing = z.infer<typeof MessagePricing>;

/** The order that a person put together from a catalogue. */
export const MessageOrder = z.object({
  id: z.string().nullable().describe("The network's own id of the order."),
  title: z.string().nullable().describe('What the order is called.'),
  item_count: z.int().nonnegative().nullable().describe('How many things were ordered.'),
  amount: Amount,
  currency: Currency,
});
export type MessageOrder = z.infer<typeof MessageOrder>;

/** News of money; nothing is paid or taken here. `message` is the note beside it. */
export const MessagePayment = z.object({
  kind: z.enum(['request', 'sent', 'declined', 'cancelled', 'invitation']).describe('What the news is.'),
  amount: Amount,
  currency: Currency,
});
export type MessagePayment = z.infer<typeof MessagePayment>;

/** A call that came in. `ended`: it was answered on the handset. */
export const MessageCall = z.object({
  video: z.boolean().describe('Whether it was a video call.'),
  outcome: z.enum(['missed', 'ended', 'rejected']).describe('`ended`: it was answered on the handset.'),
  duration_s: z.int().nonnegative().nullable().describe('Seconds; null where the network did not say.'),
});
export type MessageCall = z.infer<typeof MessageCall>;

/** The advertisement, post or link through which somebody came; what the network did not say is null. */
export const MessageReferral = z.object({
  ctwa_clid: z.string().nullable().describe('The click on an advertisement, as conversion APIs take it.'),
  source_type: z.string().nullable().describe('Such as `ad` or `post`.'),
  source_id: z.string().nullable().describe('The id of the advertisement or post.'),
  source_url: z.string().nullable().describe('Its address.'),
  headline: z.string().nullable().describe('Its headline.'),
  body: z.string().nullable().describe('Its text.'),
});
export type MessageReferral = z.infer<typeof MessageReferral>;

/** The button that was pressed: `id` is the value given by the maker of the button, the row or the form. */
export const PressedButton = z.object({
  id: z.string().nullable().describe('Its id.'),
  form: z.string().nullable().describe('What was filled into a form: JSON, as the network has it.'),
});
export type PressedButton = z.infer<typeof PressedButton>;

/** How the link in a text is shown, as its page names itself. */
export const MessagePreview = z.object({
  url: z.string().describe('The link, as the text has it.'),
  title: z.string().describe('What the page is called.'),
  description: z.string().nullable().describe('Its words; null where it has none.'),
  picture: z.string().nullable().describe('A small picture as a data URL; null where there is none.'),
});
export type MessagePreview = z.infer<typeof MessagePreview>;

/** The context of a message besides its content. */
export const MessageContext = z.object({
  button: PressedButton.nullable().describe('The button, row or form that was pressed.'),
  referral: MessageReferral.nullable().describe('What somebody clicked before they wrote.'),
  forwarded: z.boolean().describe('Whether it was forwarded.'),
  mentions: z.array(z.string()).describe('The numbers it mentions, digits; `lid:…` where a number is hidden.'),
  view_once: z.boolean().describe('Its sender wants it to be seen once.'),
  album: z.string().nullable().describe('The same for all files that were sent together.'),
  broadcast: z.boolean().describe("It came by its sender's broadcast list."),
  play_as: PlayAs.nullable().describe('Of a video: shown as an animation (`gif`), or as a round video message.'),
  preview: MessagePreview.nullable().describe('The preview that the link in the text went or came with.'),
});
export type MessageContext = z.infer<typeof MessageContext>;

/** The reaction of a side of the conversation, at most one each; `from_me` is the account's own. */
export const MessageReaction = z.object({
  emoji: z.string().describe('The reaction.'),
  from_me: z.boolean().describe("Whether it is the account's own."),
  at: Timestamp.describe('When it was made.'),
});
export type MessageReaction = z.infer<typeof MessageReaction>;

/**
 * The source of a message; null for an incoming one. `inbox`: somebody wrote it in the conversation. `handset`: the
 * owner wrote it on a device of their own. `opt_out`: it confirms that its recipient opted out, or in. `call`: it answers
 * a call that was rejected.
 */
export const MessageSource = z.enum([
  'api',
  'inbox',
  'campaign',
  'flow',
  'bulk_run',
  'handset',
  'opt_out',
  'call',
  'history',
]);
export type MessageSource = z.infer<typeof MessageSource>;
