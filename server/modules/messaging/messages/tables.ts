import type { Generated } from 'kysely';
import type { FailureCode } from '#contracts/failure-codes.ts';
import type { HeaderMedia } from '#contracts/whatsapp-template-parts.ts';
import type {
  MessageCall,
  MessageContext,
  MessageLocation,
  MessageMedia,
  MessageOrder,
  MessagePayment,
  MessagePoll,
  MessagePreview,
  MessagePricing,
  MessageReaction,
  MessageSource,
  MessageType,
  OutgoingTemplate,
  SendingManner,
  SharedContact,
} from '#contracts/message-content.ts';
import type { MessageDirection } from '#contracts/messages.ts';
import type { OptionalJson } from '#server/platform/db/columns.ts';

/**
 * `sending` is `pending` to the outside: its network id is committed, the network has not answered. `scheduled` and
 * `deferred` have no phone yet; the latter, of a batch, is `pending` to the outside.
 */
export type StoredMessageStatus =
  | 'scheduled'
  | 'deferred'
  | 'pending'
  | 'sending'
  | 'sent'
  | 'delivered'
  | 'read'
  | 'failed';

/** Messages of before say nothing of a thumbnail. */
export type StoredMedia = Omit<MessageMedia, 'has_thumbnail'> & { has_thumbnail?: boolean | undefined };

/** The file of the header stands in the column `media`. */
export type StoredTemplate = Omit<OutgoingTemplate, 'header_media'> & { header_type: HeaderMedia | null };

/** The details of a message beside the columns of the first kinds. */
export type StoredDetails = Partial<{
  poll: MessagePoll;
  template: StoredTemplate;
  order: MessageOrder;
  payment: MessagePayment;
  call: MessageCall;
  context: MessageContext;
  manner: SendingManner;
  /** When the contact took a reaction or a vote back: older ones that come late are void. ISO 8601. */
  taken_back: Partial<Record<'reaction' | 'vote', string>>;
  /** An edit made the record, whose message has not come yet. */
  is_early: true;
  /** How its link was shown when it went out. */
  preview: MessagePreview;
  /** How the network counted it, with the country of the number. */
  pricing: MessagePricing & { country: string | null };
}>;

/** Where the network has the file of a message (strings), with which secret later changes to it are sealed, and details. */
export type StoredSource = { secret?: string; details?: StoredDetails } & { [name: string]: unknown };

export type MessagesTable = {
  account_id: number;
  project_id: number;
  id: Generated<number>;
  phone_id: number | null;
  direction: MessageDirection;
  /** Digits; `lid:` and the address of somebody whose number is not known, which stands in `from_lid`, too. */
  recipient: string | null;
  sender: string | null;
  body: string;
  status: StoredMessageStatus;
  error: string | null;
  error_code: FailureCode | null;
  network_id: string | null;
  /** The recipient's or sender's profile, as known at that time; it may be gone since. */
  profile_id: number | null;
  /** The source of the message; all null for a direct one. */
  campaign_id: number | null;
  flow_id: number | null;
  bulk_run_id: number | null;
  /** The lease under which it was claimed for sending. */
  lease_token: number | null;
  /** The day on which its phone counted it, as YYYY-MM-DD; null once that was given back, and for incoming ones. */
  counted_day: string | null;
  created_at: Date;
  sent_at: Date | null;
  delivered_at: Date | null;
  read_at: Date | null;
  /** Null is a text. */
  type: MessageType | null;
  media: OptionalJson<StoredMedia>;
  /**
   * The values that the connector needs for the file later, and that no other column holds; see `content/details.ts`.
   */
  media_source: OptionalJson<StoredSource>;
  location: OptionalJson<MessageLocation>;
  contacts: OptionalJson<SharedContact[]>;
  protocol_type: string | null;
  reply_to: number | null;
  /** The message that this one answers or reacts to, as the network knows it. */
  quote: OptionalJson<{ network_id: string; is_own: boolean; type: MessageType; text: string }>;
  reactions: OptionalJson<MessageReaction[]>;
  edited_at: Date | null;
  deleted_at: Date | null;
  metadata: OptionalJson<Record<string, string>>;
  /** When one that was stored without a phone is to get one; null for all others. */
  due_at: Date | null;
  /** Null where the campaign, the flow, the bulk run or none of them says it. */
  source: MessageSource | null;
  /** The address of a person whose number is not known, or was not. */
  from_lid: string | null;
  /** How many sends of it ended without an answer, and when the next may be tried. */
  attempts: Generated<number>;
  retry_at: Date | null;
  /** The message goes to its recipient even if they have opted out. */
  override_opt_out: Generated<boolean>;
  /** Handed over by a ledger or a batch: it keeps the pace of its phone. Null is false. */
  is_queued: boolean | null;
};

export type IncomingMessagesSeenTable = {
  account_id: number;
  phone_id: number;
  sender: string;
  network_id: string;
  message_id: number;
  seen_at: Date;
};

export type IdempotencyKeysTable = {
  account_id: number;
  project_id: number;
  key: string;
  fingerprint: Buffer;
  message_id: number;
  created_at: Date;
};

/** Profiles that are to adopt further messages from before they were there. */
export type ProfileAdoptionsTable = { account_id: number; profile_id: number; phone_key: string };

/** Files of incoming messages that are still to be fetched. */
export type MediaFetchesTable = {
  account_id: number;
  phone_id: number;
  message_id: number;
  attempts: Generated<number>;
  /** The sender's handset has been asked to upload it again. */
  has_asked_again: Generated<boolean>;
  /** A worker is fetching it, or ended while it did. */
  is_claimed: Generated<boolean>;
  due_at: Date;
  created_at: Date;
};

/** The texts of messages that have one, for search; kept by triggers. */
export type MessageTextsTable = { account_id: number; message_id: number; body: string };

/** Accounts whose earlier messages are gone through for their texts, backwards from `before_id`. */
export type MessageTextBackfillTable = { account_id: number; before_id: number | null };

/** Messages that cannot be read yet, until they are told of. */
export type WaitingMessagesTable = {
  account_id: number;
  message_id: number;
  sender_name: string | null;
  due_at: Date;
};

export type MessageTables = {
  messages: MessagesTable;
  incoming_messages_seen: IncomingMessagesSeenTable;
  idempotency_keys: IdempotencyKeysTable;
  profile_adoptions: ProfileAdoptionsTable;
  message_texts: MessageTextsTable;
  message_text_backfill: MessageTextBackfillTable;
  media_fetches: MediaFetchesTable;
  waiting_messages: WaitingMessagesTable;
};
