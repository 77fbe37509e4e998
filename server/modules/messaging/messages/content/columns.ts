import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { MediaType, MessagePreview, OutgoingContent, SendingManner } from '#contracts/message-content.ts';
import type { SentMessage } from '#server/connectors/messaging/port.ts';
import { assertNever } from '#server/platform/errors.ts';
import type { MessageRow } from '../present.ts';
import type { StoredDetails, StoredMedia, StoredSource, StoredTemplate } from '../tables.ts';

/** The message that one answers or reacts to. */
export type Answered = { messageId: number; quote: NonNullable<MessageRow['quote']> };

/** The content of a message: `asked` is the caller's own request, where that was more than a text. */
export type Carried = {
  content: OutgoingContent;
  manner?: SendingManner | undefined;
  /** How its link is shown, where that is known before it goes. */
  preview?: MessagePreview | undefined;
  answered?: Answered | undefined;
  asked?: string | undefined;
};

/** The text of a message, as it is stored and searched. */
export function bodyOf(content: OutgoingContent): string {
  switch (content.type) {
    case 'text':
      return content.text;
    case 'location':
    case 'contact':
    case 'deletion':
    case 'number_request':
      return '';
    case 'reaction':
      return content.emoji;
    default:
      return content.text;
  }
}

/** The content of a message besides its text, for `contentColumns`; null for a plain text. */
export function extrasOf({ content, manner, preview, answered }: Carried): string | null {
  const extras = {
    ...withDetails(partsOf(content), { ...(manner && { manner }), ...(preview && { preview }) }),
    ...(answered && { reply_to: answered.messageId, quote: answered.quote }),
  };
  return Object.keys(extras).length === 0 ? null : JSON.stringify(extras);
}

type Parts = { source?: StoredSource; [name: string]: unknown };

function withDetails<T extends Parts>(parts: T, details: StoredDetails): T {
  if (Object.keys(details).length === 0) return parts;
  return { ...parts, source: { ...parts.source, details: { ...parts.source?.details, ...details } } };
}

function partsOf(content: OutgoingContent): Parts {
  switch (content.type) {
    case 'text':
      return {};
    case 'location':
      return { type: content.type, location: content.location };
    case 'contact':
      return { type: content.type, contacts: content.contacts };
    case 'reaction':
    case 'edit':
    case 'deletion':
    case 'number_request':
      return { type: content.type };
    case 'poll':
      return {
        type: content.type,
        source: { details: { poll: { ...content.poll, votes: [] } } } satisfies StoredSource,
      };
    case 'template': {
      const { header_media: header, ...template } = content.template;
      const stored: StoredTemplate = { ...template, header_type: header?.type ?? null };
      return {
        type: content.type,
        source: { details: { template: stored } } satisfies StoredSource,
        ...(header && { media: { ...header.media, state: 'stored' } satisfies StoredMedia }),
      };
    }
    default:
      return { type: content.type, media: { ...content.media, state: 'stored' } satisfies StoredMedia };
  }
}

/** The columns that `extrasOf` fills, and how they are read from `extras`: in the same order. */
export const contentColumns = 'type, media, location, contacts, reply_to, quote, media_source';
export const contentValues =
  `extras ->> 'type', extras -> 'media', extras -> 'location', extras -> 'contacts', (extras ->> 'reply_to')::bigint, ` +
  `extras -> 'quote', extras -> 'source'`;

type StoredContent = Pick<MessageRow, 'type' | 'body' | 'media' | 'media_source' | 'location' | 'contacts' | 'quote'>;

/** The content of a stored message, as a connector takes it; undefined for a kind that is not sent from here. */
export function outgoingContentOf(row: StoredContent): Omit<SentMessage, 'to'> | undefined {
  const content = readContent(row);
  const manner = row.media_source?.details?.manner;
  return content && { content, quote: row.quote, ...(manner && { manner }) };
}

function readContent({
  type,
  body,
  media,
  media_source: source,
  location,
  contacts,
}: StoredContent): OutgoingContent | undefined {
  switch (type) {
    // Null is a text.
    case null:
    case 'text':
      return { type: 'text', text: body };
    case 'location':
      return location ? { type, location } : undefined;
    case 'contact':
      return contacts ? { type, contacts } : undefined;
    case 'reaction':
      return { type, emoji: body };
    case 'edit':
      return { type, text: body };
    case 'deletion':
    case 'number_request':
      return { type };
    case 'poll': {
      const poll = source?.details?.poll;
      return (
        poll && { type, text: body, poll: { question: poll.question, options: poll.options, multiple: poll.multiple } }
      );
    }
    case 'template':
      return templateContent(body, media, source?.details?.template);
    case 'image':
    case 'video':
    case 'audio':
    case 'voice':
    case 'document':
    case 'sticker':
      return mediaContent(type, body, media);
    case 'order':
    case 'payment':
    case 'call':
    case 'waiting':
    case 'unsupported':
      return undefined;
    default:
      return assertNever(type);
  }
}

function templateContent(
  text: string,
  media: StoredMedia | null,
  stored: StoredTemplate | undefined,
): OutgoingContent | undefined {
  if (!stored) return undefined;
  const { header_type: type, ...template } = stored;
  if (type === null) return { type: 'template', text, template: { ...template, header_media: null } };
  const file = mediaContent(type, '', media);
  if (!file || !('media' in file)) return undefined;
  return { type: 'template', text, template: { ...template, header_media: { type, media: file.media } } };
}

/** The business account whose numbers alone can send a content; undefined for anything but a template. */
export const businessAccountOf = (content: OutgoingContent): string | undefined =>
  content.type === 'template' ? content.template.business_account_id : undefined;

/** The same of a stored message over `m`, in SQL. */
export const storedBusinessAccount: RawBuilder<string | null> = sql`
  case when m.type = 'template' then m.media_source #>> '{details,template,business_account_id}' end`;

function mediaContent(type: MediaType, text: string, media: StoredMedia | null): OutgoingContent | undefined {
  if (!media || media.id === null || media.mime_type === null || media.size === null || media.sha256 === null)
    return undefined;
  const { id, mime_type, file_name, size, sha256 } = media;
  return { type, text, media: { id, mime_type, file_name, size, sha256 } };
}
