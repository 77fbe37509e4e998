import type { Selectable } from 'kysely';
import type {
  MessageMedia,
  MessageContext,
  MessageSource,
  MessageTemplate,
  MessageType,
} from '#contracts/message-content.ts';
import type { Message, MessageStatus } from '#contracts/messages.ts';
import type { Recipient } from '#contracts/new-message.ts';
import { isPermitted } from '#server/actor.ts';
import type { AccountContext } from '#server/context.ts';
import { lidPrefix } from '#server/connectors/messaging/port.ts';
import type { MessagesTable, StoredMessageStatus, StoredTemplate } from './tables.ts';

export type MessageRow = Selectable<MessagesTable>;

/** Whether a message has a phone, or is on its way to the network, is our own business: outside it is pending. */
export function presentStatus(status: StoredMessageStatus): MessageStatus {
  return status === 'sending' || status === 'deferred' ? 'pending' : status;
}

export const storedStatuses = (status: MessageStatus): StoredMessageStatus[] =>
  status === 'pending' ? ['pending', 'sending', 'deferred'] : [status];

/** A message of a batch without a time of its own is due from its creation on. */
const sendAtOf = ({ due_at, created_at }: MessageRow) => (due_at && due_at > created_at ? due_at.toISOString() : null);

function sourceOf(row: MessageRow): MessageSource | null {
  if (row.direction === 'incoming') return row.source === 'history' ? 'history' : null;
  if (row.source !== null) return row.source;
  if (row.campaign_id !== null) return 'campaign';
  if (row.bulk_run_id !== null) return 'bulk_run';
  return row.flow_id === null ? 'api' : 'flow';
}

const pictured: readonly MessageType[] = ['image', 'video', 'sticker'];

/** Of a picture or a film of before it is not known: it is asked for. */
function presentMedia({ media, type }: MessageRow): MessageMedia | null {
  if (media === null) return null;
  const { has_thumbnail: known = type !== null && pictured.includes(type) } = media;
  return { ...media, has_thumbnail: known && media.state === 'stored' };
}

function presentTemplate(stored: StoredTemplate | undefined): MessageTemplate | null {
  if (!stored) return null;
  const { name, language, category, header, footer, buttons } = stored;
  return { name, language, category, header, footer, buttons };
}

const withheld = {
  to: null,
  from: null,
  from_lid: null,
  profile_id: null,
  message: '',
  media: null,
  location: null,
  contacts: null,
  poll: null,
  template: null,
  pricing: null,
  order: null,
  payment: null,
  call: null,
  context: null,
  reactions: [],
  metadata: null,
} as const satisfies Partial<Message>;

/** Without messages:read an answer holds of a message what its caller brought, and what became of it. */
export function boundMessage(ctx: AccountContext, message: Message, brought: Partial<Message> = {}): Message {
  if (isPermitted(ctx.actor, 'messages:read')) return message;
  return { ...message, ...withheld, reactions: [], ...brought };
}

/** The same for who sends: without messages:read they learn nothing of a person but how they named them. */
export function boundToSender(ctx: AccountContext, message: Message, to: Recipient): Message {
  if (isPermitted(ctx.actor, 'messages:read')) return message;
  const { to: number, from_lid: lid } = message;
  return { ...message, profile_id: null, to: 'written' in to ? number : null, from_lid: 'lid' in to ? lid : null };
}

/** The context of a message from here is the manner in which it was sent. */
function presentContext({ body, media_source: source }: MessageRow): MessageContext | null {
  const { context, manner, preview: shown } = source?.details ?? {};
  // Another wording may have another link, or none.
  const found = [context?.preview, shown].find((each) => each && body.includes(each.url));
  // Older ones say nothing of how a video or a link is shown, or not of its picture.
  const preview = found ? { ...found, picture: found.picture ?? null } : null;
  if (context) return { ...context, play_as: context.play_as ?? null, preview };
  const { mentions = [], forwarded = false, play_as = null } = manner ?? {};
  if (mentions.length === 0 && !forwarded && play_as === null && preview === null) return null;
  return {
    button: null,
    referral: null,
    forwarded,
    mentions,
    view_once: false,
    album: null,
    broadcast: false,
    play_as,
    preview,
  };
}

export function presentMessage(row: MessageRow): Message {
  const details = row.media_source?.details;
  return {
    id: row.id,
    project_id: row.project_id,
    phone_id: row.phone_id,
    profile_id: row.profile_id,
    campaign_id: row.campaign_id,
    flow_id: row.flow_id,
    bulk_run_id: row.bulk_run_id,
    to: row.recipient?.startsWith(lidPrefix) === true ? null : row.recipient,
    from: row.sender,
    from_lid: row.from_lid,
    type: row.type ?? 'text',
    message: row.body,
    media: presentMedia(row),
    location: row.location,
    contacts: row.contacts,
    poll: details?.poll ?? null,
    template: presentTemplate(details?.template),
    pricing: details?.pricing ? { category: details.pricing.category, billed: details.pricing.billed } : null,
    order: details?.order ?? null,
    payment: details?.payment ?? null,
    call: details?.call ?? null,
    context: presentContext(row),
    protocol_type: row.protocol_type,
    reply_to: row.reply_to,
    reactions: row.reactions ?? [],
    metadata: row.metadata,
    source: sourceOf(row),
    direction: row.direction,
    status: presentStatus(row.status),
    error: row.error,
    error_code: row.error_code,
    created_at: row.created_at.toISOString(),
    send_at: sendAtOf(row),
    sent_at: row.sent_at?.toISOString() ?? null,
    delivered_at: row.delivered_at?.toISOString() ?? null,
    read_at: row.read_at?.toISOString() ?? null,
    edited_at: row.edited_at?.toISOString() ?? null,
    deleted_at: row.deleted_at?.toISOString() ?? null,
    override_opt_out: row.override_opt_out,
  };
}
