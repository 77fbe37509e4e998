import type { OutgoingContent, SendingManner } from '#contracts/message-content.ts';
import type { NewMessage, SentMedia } from '#contracts/new-message.ts';
import { isChange, MediaType } from '#contracts/message-content.ts';
import { cutText } from '#contracts/shorten-text.ts';
import { lidOf, lidPrefix } from '#server/connectors/messaging/port.ts';
import { isPermitted } from '#server/actor.ts';
import type { AccountContext, ProjectContext } from '#server/context.ts';
import { fillTemplate } from '#server/modules/messaging/whatsapp-templates/index.ts';
import {
  fetchUrl,
  holdMedia,
  knownPreview,
  shownPreview,
  storeUpload,
  UnreachableFileError,
} from '#server/modules/messaging/media/index.ts';
import { requireNumbers } from '#server/modules/numbers/reading/index.ts';
import { numberForms } from '#contracts/understand-number.ts';
import { isScopedId } from '#server/modules/numbers/phones/index.ts';
import { InvalidInputError, ProblemError } from '#server/platform/errors.ts';
import type { MessageRow } from '../present.ts';
import { outgoingContentOf } from './columns.ts';
import type { Answered, Carried } from './columns.ts';

/** The content that a request asks for; all fields of its type are there, as its contract demands. */
export type Requested = Pick<
  NewMessage,
  | 'type'
  | 'message'
  | 'media'
  | 'file_name'
  | 'location'
  | 'contacts'
  | 'reaction'
  | 'poll'
  | 'template'
  | 'reply_to'
  | 'preview'
  | 'mentions'
  | 'play_as'
  | 'forward'
> & {
  /** Digits, or `lid:` and a LID. */
  to: string;
};

/** `phoneId`: the conversation's phone, by which alone an answer can go. */
export type Resolved = Carried & { phoneId?: number | undefined };

/**
 * Finds what a request names: its file, which is there until the message has gone (`until` and some time more), and the
 * message that it answers. Throws 422 where there is no such thing, and for a file that cannot be sent so.
 */
export async function resolveContent(
  ctx: ProjectContext,
  requested: Requested,
  until: Date = ctx.clock.now(),
): Promise<Resolved> {
  requireFitting(requested);
  const content = requested.forward
    ? await forwardedContent(ctx, requested.forward.message_id, until)
    : await contentOf(ctx, requested, until);
  const found = await findAnswered(ctx, requested);
  const manner = await mannerOf(ctx, requested);
  const preview =
    content.type === 'text' && requested.preview !== false
      ? knownPreview(ctx, { accountId: ctx.account.id, text: content.text })
      : undefined;
  const shown = preview && { preview: shownPreview(preview) };
  if (saysAll(requested)) return { content, ...shown };
  return { content, asked: askedOf(requested), ...(manner && { manner }), ...shown, ...found };
}

/** How a message is sent besides its content; undefined for what needs nothing said. */
async function mannerOf(
  ctx: ProjectContext,
  { preview, mentions = [], play_as, forward }: Requested,
): Promise<SendingManner | undefined> {
  const mentioned = await resolveMentions(ctx, mentions);
  const manner: SendingManner = {
    ...(preview === false && { preview }),
    ...(mentioned.length > 0 && { mentions: mentioned }),
    ...(play_as !== undefined && { play_as }),
    ...(forward && { forwarded: true }),
  };
  return Object.keys(manner).length === 0 ? undefined : manner;
}

/** The people whom a text mentions, as a message has them. Throws 422 for a number that is not clear. */
export async function resolveMentions(
  ctx: AccountContext,
  mentions: NonNullable<Requested['mentions']>,
): Promise<string[]> {
  const numbers = mentions.flatMap((each, index) =>
    'written' in each ? [{ ...each, path: `mentions.${index}` }] : [],
  );
  const read = await requireNumbers(ctx, numbers);
  return mentions.map((each) => ('lid' in each ? `${lidPrefix}${each.lid}` : (read.shift() ?? '')));
}

/** The content of another message of the project, as it is sent again. Throws 422 where it cannot be. */
async function forwardedContent(ctx: ProjectContext, messageId: number, until: Date): Promise<OutgoingContent> {
  const refuse = (message: string) => new InvalidInputError([{ path: 'forward.message_id', message }]);
  // To a number of one's own, forwarding is reading.
  if (!isPermitted(ctx.actor, 'messages:read'))
    throw refuse('To forward messages the key needs the scope messages:read');
  const row = await findMessage(ctx, messageId);
  if (!row) throw refuse('No message of this project has that id');
  const content = row.deleted_at === null ? outgoingContentOf(row)?.content : undefined;
  if (!content || !forwardable.includes(content.type)) throw refuse('This message cannot be forwarded');
  if (!('media' in content)) return content;
  const held = await holdMedia(ctx, { mediaId: content.media.id, type: content.type, until });
  if ('fault' in held) throw refuse(held.fault);
  return { ...content, media: { ...held, file_name: content.media.file_name } };
}

const forwardable: readonly string[] = ['text', 'location', 'contact', 'poll', ...MediaType.options];

/** Some types go to a number alone, or to somebody whose number is not known. */
function requireFitting({ type, to }: Requested): void {
  const lid = lidOf(to);
  const isHidden = lid !== undefined;
  const refuse = (message: string) => new InvalidInputError([{ path: 'type', message }]);
  if (isHidden && type === 'template' && !isScopedId(lid))
    throw refuse('A template goes to a number, which is not known of this person');
  if (!isHidden && type === 'number_request') throw refuse('The number of this person is known');
}

/** Whether the text is all there is to a request. */
export const saysAll = ({ type = 'text', reply_to, preview, mentions = [], play_as, forward }: Requested): boolean =>
  type === 'text' &&
  reply_to === undefined &&
  preview !== false &&
  mentions.length === 0 &&
  play_as === undefined &&
  forward === undefined;

/** The parts of a request that are not in every one, in one order. */
export function askedOf({
  type,
  media,
  file_name,
  location,
  contacts,
  reaction,
  poll,
  template,
  reply_to,
  preview,
  mentions,
  play_as,
  forward,
}: Requested): string {
  const asked = [type ?? 'text', media, file_name, location, contacts, reaction, reply_to];
  const later = poll ?? template;
  const manner = { preview, mentions, play_as, forward };
  const isPlain = Object.values(manner).every((value) => value === undefined);
  return JSON.stringify([...asked, ...(later || !isPlain ? [later] : []), ...(isPlain ? [] : [manner])]);
}

async function contentOf(
  ctx: ProjectContext,
  { type = 'text', message = '', media, file_name: fileName, ...parts }: Requested,
  until: Date,
): Promise<OutgoingContent> {
  const { location, contacts, reaction, poll, template } = parts;
  if (type === 'location' && location) {
    const { latitude, longitude, name, address } = location;
    return { type, location: { latitude, longitude, name: name || null, address: address || null } };
  }
  if (type === 'contact' && contacts) {
    const phonesOf = (phones: (typeof contacts)[number]['phones']) =>
      phones.map(({ phone, type: kind }) => ({ phone, type: kind?.toLowerCase() ?? null }));
    return { type, contacts: contacts.map(({ name, phones }) => ({ name, phones: phonesOf(phones) })) };
  }
  if (type === 'reaction' && reaction) return { type, emoji: reaction.emoji };
  if (type === 'text') return { type, text: message };
  if (type === 'number_request') return { type };
  if (type === 'poll' && poll) return { type, text: poll.question, poll };
  if (type === 'template' && template) {
    const filled = await fillTemplate(ctx, template, (mediaId, kind) => holdMedia(ctx, { mediaId, type: kind, until }));
    return { type, ...filled };
  }
  if (!media || !isMediaType(type)) throw new Error(`A ${type} lacks its part`);
  const path = media.id === undefined ? 'media.url' : 'media.id';
  const mediaId = media.id ?? (await fetchMedia(ctx, media, type));
  const held = await holdMedia(ctx, { mediaId, type, until });
  if ('fault' in held) throw new InvalidInputError([{ path, message: held.fault }]);
  return { type, text: message, media: { ...held, file_name: fileName ?? held.file_name } };
}

const isMediaType = (type: string): type is MediaType => MediaType.safeParse(type).success;

/** Fetches a file from its address once, and stores it as if it had been uploaded. */
async function fetchMedia(
  ctx: ProjectContext,
  { url = '', keep_metadata: keeps = false }: SentMedia,
  type: MediaType,
): Promise<string> {
  try {
    return await fetchUrl(ctx, url, async ({ bytes, fileName }) => {
      const file = await storeUpload(ctx, { bytes, fileName, projectId: null, keepsMetadata: keeps, type });
      return file.id;
    });
  } catch (error) {
    const isFault =
      error instanceof UnreachableFileError || (error instanceof ProblemError && error.code === 'media_not_supported');
    if (!isFault) throw error;
    throw new InvalidInputError([{ path: 'media.url', message: error.message }]);
  }
}

const findMessage = ({ db, account, project }: ProjectContext, messageId: number): Promise<MessageRow | undefined> =>
  db
    .selectFrom('messages')
    .selectAll()
    .where('account_id', '=', account.id)
    .where('project_id', '=', project.id)
    .where('id', '=', messageId)
    .executeTakeFirst();

const noSuchMessage = (path: string) =>
  new InvalidInputError([{ path, message: 'No message of this conversation has that id, or it was never sent' }]);

async function findAnswered(
  ctx: ProjectContext,
  { to, reply_to, reaction }: Requested,
): Promise<{ answered: Answered; phoneId: number } | undefined> {
  const messageId = reaction?.message_id ?? reply_to;
  if (messageId === undefined) return undefined;
  const row = await findMessage(ctx, messageId);
  const path = reaction ? 'reaction.message_id' : 'reply_to';
  const found = row && answeredBy(row, numberForms(to));
  if (!found) throw noSuchMessage(path);
  // A quote would show what was taken back.
  if (row.deleted_at !== null) throw new InvalidInputError([{ path, message: 'This message was deleted' }]);
  return found;
}

const quotedLength = 500;

export function answeredBy(
  row: MessageRow,
  forms: readonly string[],
): { answered: Answered; phoneId: number } | undefined {
  const { phone_id: phoneId, network_id, direction, type } = row;
  const lid = row.from_lid === null ? null : `${lidPrefix}${row.from_lid}`;
  const peer = (direction === 'incoming' ? row.sender : row.recipient) ?? lid;
  if (phoneId === null || network_id === null || peer === null || !forms.includes(peer)) return undefined;
  // A call has an id of ours, which the network does not know.
  if (isChange(type ?? 'text') || type === 'call' || row.status === 'failed') return undefined;
  const quote = {
    network_id,
    is_own: direction === 'outgoing',
    type: type ?? 'text',
    text: cutText(row.body, quotedLength),
  };
  return { answered: { messageId: row.id, quote }, phoneId };
}
