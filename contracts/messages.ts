import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { FailureCode } from './failure-codes.ts';
import {
  MessageCall,
  MessageContext,
  MessageLocation,
  MessageMedia,
  MessageOrder,
  MessagePricing,
  MessagePayment,
  MessagePoll,
  MessageReaction,
  MessageSource,
  MessageTemplate,
  MessageType,
  SharedContact,
} from './message-content.ts';
import { Id, IdParam, pageOf, pageQuery, Timestamp, WholeNumber } from './page.ts';
import { Mentions, MessageText, NewMessage } from './new-message.ts';
import { PhoneText, phoneParams } from './phone-numbers.ts';
import { projectParams } from './projects.ts';

/** scheduled → pending → sent → delivered → read, or failed; a status never goes back. */
export const MessageStatus = z.enum(['scheduled', 'pending', 'sent', 'delivered', 'read', 'failed']);
export type MessageStatus = z.infer<typeof MessageStatus>;

export const MessageDirection = z.enum(['incoming', 'outgoing']);
export type MessageDirection = z.infer<typeof MessageDirection>;

/**
 * A message. `to` and `from` are digits with the calling code; our own side is null before a phone is chosen, the
 * person's side is null while only its LID is known (`from_lid`). `message` is the text, the caption, or the title of the
 * button that was pressed; empty where there is none.
 */
export const Message = z.object({
  id: Id.describe('Its id.'),
  project_id: Id.describe('Of which project.'),
  phone_id: Id.nullable().describe('The phone number that sends or received; null before one is chosen.'),
  profile_id: Id.nullable().describe('Whom it went to or came from; null when nobody with that number is kept.'),
  campaign_id: Id.nullable().describe('What sent it; all three null for one sent by itself.'),
  flow_id: Id.nullable().describe('The flow that sent it; null for none.'),
  bulk_run_id: Id.nullable().describe('The bulk run that sent it; null for none.'),
  to: z.string().nullable().describe('Whom it goes to: the full number, digits.'),
  from: z.string().nullable().describe('Who sent it: the full number, digits.'),
  from_lid: z
    .string()
    .nullable()
    .describe("The network's own address of a person who hides the number, whichever side wrote."),
  type: MessageType.describe('What kind it is.'),
  message: z.string().describe('The text.'),
  media: MessageMedia.nullable().describe('The file that came with it; null for none.'),
  location: MessageLocation.nullable().describe('The place that was sent; null for none.'),
  contacts: z.array(SharedContact).nullable().describe('The contact cards that were sent; null for none.'),
  poll: MessagePoll.nullable().describe('Of type `poll`.'),
  template: MessageTemplate.nullable().describe('Of type `template`.'),
  pricing: MessagePricing.nullable().describe('Of one that the official API delivered: how Meta counted it.'),
  order: MessageOrder.nullable().describe('Of type `order`.'),
  payment: MessagePayment.nullable().describe('Of type `payment`.'),
  call: MessageCall.nullable().describe('Of type `call`.'),
  context: MessageContext.nullable().describe('Null where there is nothing to say.'),
  protocol_type: z.string().nullable().describe('What the network calls a message of type `unsupported`.'),
  reply_to: Id.nullable().describe('The message it answers.'),
  reactions: z.array(MessageReaction).describe('One for each side that reacted.'),
  metadata: z.record(z.string(), z.string()).nullable().describe("The caller's own pairs, given when it was sent."),
  source: MessageSource.nullable().describe('Null for a message from outside; `history` for all of before the link.'),
  direction: MessageDirection.describe('`outgoing`: from you; `incoming`: to you.'),
  status: MessageStatus.describe('How far it has come, or how it is now.'),
  error: z.string().nullable().describe('Why it failed, a sentence; null or absent while it has not.'),
  error_code: FailureCode.nullable().describe('Why it failed, for programs.'),
  created_at: Timestamp.describe('When it was made.'),
  send_at: Timestamp.nullable().describe('The time it was scheduled for; null for one that was to go at once.'),
  sent_at: Timestamp.nullable().describe('When the network took it; null until then.'),
  delivered_at: Timestamp.nullable().describe('When it arrived; null until then.'),
  read_at: Timestamp.nullable().describe('When it was read; null until then.'),
  edited_at: Timestamp.nullable().describe('When its sender changed it last, or took it back.'),
  deleted_at: Timestamp.nullable().describe('When its sender took it back; null if never.'),
  override_opt_out: z.boolean().describe('It was to go to its recipient though that one had opted out.'),
});
export type Message = z.infer<typeof Message>;

/** The person's side of a message: digits, else `lid:` and their LID; null where neither is known any more. */
export function personOf({ direction, from, to, from_lid }: Pick<Message, 'direction' | 'from' | 'to' | 'from_lid'>) {
  return (direction === 'incoming' ? from : to) ?? (from_lid === null ? null : `lid:${from_lid}`);
}

export const sendMessage = endpoint({
  method: 'POST',
  path: '/api/send-message',
  audit: { act: 'message.sent', row: 'none', because: 'The message itself is the record.' },
  callers: ['project_key', 'user'],
  inProject: true,
  permission: 'messages:send',
  needsSubscription: true,
  summary: "Send a message and wait for the network's answer, up to 15 s; with `send_at`, have it sent then",
  headers: z.object({
    'idempotency-key': z
      .string()
      .min(1)
      .max(255)
      .optional()
      .describe(
        'Up to 255 characters, yours. The same key and body answers that message and sends nothing more, for 24 hours; another body is refused.',
      ),
    prefer: z.string().max(200).optional().describe('`respond-async`: do not wait for the network; 202.'),
    'current-project-id': z
      .string()
      .optional()
      .describe('For a session, in place of `x-auth-key`: the id of the project that sends.'),
  }),
  body: NewMessage,
  response: { 200: Message, 202: Message },
  errors: [
    'no_connected_phone',
    'phones_inactive',
    'sandbox_resting',
    'phones_limited',
    'opted_out',
    'must_write_first',
    'daily_limit_reached',
    'number_not_clear',
    'not_on_whatsapp',
    'network_refused',
    'account_restricted',
    'number_stopped',
    'window_closed',
    'template_refused',
    'marketing_capped',
    'look_ups_paused',
    'delivery_unknown',
    'phone_deleted',
    'idempotency_conflict',
    'too_many_waiting',
    'media_unavailable',
    'media_upload_failed',
    'file_too_large',
    'storage_quota_reached',
  ],
});

export const cancelMessage = endpoint({
  method: 'POST',
  path: '/api/messages/{messageId}/cancel',
  audit: { act: 'message.cancelled', row: 'none', because: 'The message itself is the record.' },
  idempotency: 'atomic',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'messages:send',
  needsSubscription: true,
  summary: 'Take back a message that is scheduled or waits; it fails as `withdrawn`',
  params: z.object({ messageId: IdParam.describe('Which message.') }),
  response: { 200: Message },
  errors: ['not_cancellable'],
});

const changeErrors = [
  'not_changeable',
  'no_connected_phone',
  'phones_inactive',
  'sandbox_resting',
  'phones_limited',
  'opted_out',
  'must_write_first',
  'daily_limit_reached',
  'not_on_whatsapp',
  'network_refused',
  'account_restricted',
  'number_stopped',
  'window_closed',
  'template_refused',
  'marketing_capped',
  'look_ups_paused',
  'delivery_unknown',
  'phone_deleted',
  'media_unavailable',
  'media_upload_failed',
] as const;

export const editMessage = endpoint({
  method: 'PATCH',
  path: '/api/messages/{messageId}',
  audit: { act: 'message.edited', row: 'none', because: 'The message itself is the record.' },
  callers: ['user', 'api_key', 'project_key'],
  permission: 'messages:send',
  needsSubscription: true,
  summary: 'Change the text of a message that was sent, within 15 minutes; 202 where the network has not answered yet',
  params: z.object({ messageId: IdParam.describe('Which message.') }),
  body: z.object({
    message: MessageText.describe('The text.'),
    mentions: Mentions.optional().describe(
      'Whom the text mentions, as in a new message. Left out: of those whom the message mentioned, those that the text ' +
        'still names.',
    ),
  }),
  response: { 200: Message, 202: Message },
  errors: [...changeErrors],
});

export const deleteMessage = endpoint({
  method: 'DELETE',
  path: '/api/messages/{messageId}',
  audit: { act: 'message.deleted', row: 'none', because: 'The message itself is the record.' },
  callers: ['user', 'api_key', 'project_key'],
  permission: 'messages:send',
  needsSubscription: true,
  summary: 'Delete a message that was sent for everybody, within 60 hours; 202 where the network has not answered yet',
  params: z.object({ messageId: IdParam.describe('Which message.') }),
  response: { 200: Message, 202: Message },
  errors: [...changeErrors],
});

export const getMessage = endpoint({
  method: 'GET',
  path: '/api/messages/{messageId}',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'messages:read',
  needsSubscription: true,
  summary: "One message's state",
  params: z.object({ messageId: IdParam.describe('Which message.') }),
  response: { 200: Message },
});

export const listMessages = endpoint({
  method: 'GET',
  path: '/api/projects/{projectId}/messages',
  reads: 'page',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'messages:read',
  needsSubscription: true,
  summary: 'The message records of a project, newest first',
  params: projectParams,
  query: z.object({
    ...pageQuery(10),
    direction: MessageDirection.optional().describe('Those in this direction alone.'),
    status: MessageStatus.optional().describe('Those with this status alone.'),
    search: z.string().trim().max(40).optional().describe('Part of a number, digits.'),
    campaign_id: IdParam.optional().describe('Those of this campaign alone.'),
    flow_id: IdParam.optional().describe('Those of this flow alone.'),
  }),
  response: { 200: pageOf(Message) },
});

/**
 * The messages that were created on one calendar day of the account's time zone, by what has become of them so far.
 * Delivered messages count as sent too; waiting messages are counted nowhere yet.
 */
export const DayCounts = z.object({
  date: z.iso.date().describe('YYYY-MM-DD'),
  sent: z.int().nonnegative().describe('How many were sent.'),
  delivered: z.int().nonnegative().describe('How many arrived.'),
  failed: z.int().nonnegative().describe('How many failed.'),
  received: z.int().nonnegative().describe('How many came in.'),
});
export type DayCounts = z.infer<typeof DayCounts>;

export const listDailyCounts = endpoint({
  method: 'GET',
  path: '/api/messages/daily-counts',
  reads: 'page',
  callers: ['user', 'api_key'],
  permission: 'messages:read',
  needsSubscription: true,
  summary: "The account's messages a day, as many days as asked for, today last",
  query: z.object({
    days: WholeNumber.pipe(z.int().min(1, 'Use 1 to 90').max(90, 'Use 1 to 90'))
      .default(14)
      .describe('How many days, today included.'),
  }),
  response: {
    200: z.object({
      data: z.array(DayCounts).describe('The entries.'),
      timezone: z.string().describe('An IANA name, such as `Europe/Lisbon`.'),
    }),
  },
});

export const receiveSandboxMessage = endpoint({
  method: 'POST',
  path: '/api/phone-numbers/{phoneId}/sandbox/incoming',
  audit: { act: 'message.simulated', row: 'none', because: 'The message itself is the record.' },
  idempotency: 'atomic',
  callers: ['user', 'api_key'],
  permission: 'sandboxes:write',
  needsSubscription: true,
  summary: 'Play a message from outside to a sandbox phone',
  params: phoneParams,
  body: z.object({ from: PhoneText, message: MessageText.describe('The text.') }),
  response: { 201: Message },
  errors: ['not_a_sandbox_phone', 'no_connected_phone'],
});
