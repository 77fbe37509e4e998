import type { Generated, GeneratedAlways, Selectable } from 'kysely';
import type { LabelColor } from '#contracts/conversation-labels.ts';
import type { PresenceState } from '#contracts/conversation-presence.ts';
import type { ConversationStatus } from '#contracts/conversations.ts';

export type ConversationsTable = {
  account_id: number;
  project_id: number;
  id: GeneratedAlways<number>;
  /** The key of the person's number (`phoneKey`); `lid:` and the network's address while the number is not known. */
  contact_key: string;
  /** The number as it was written last. */
  phone: string | null;
  /** The person's name on the network. */
  contact_name: string | null;
  /** The phone that the person wrote to last; it may be gone since. */
  phone_id: number | null;
  status: Generated<ConversationStatus>;
  unread_count: Generated<number>;
  /** The person wrote as if to opt out, without a word that does; cleared by such a word or by hand. */
  may_want_to_opt_out: Generated<boolean>;
  /** The member it was given to, who may be none since: see `assigneeOf`. */
  assigned_to: number | null;
  assigned_at: Date | null;
  /** Put aside until then; see `isSnoozed`. */
  snoozed_until: Date | null;
  /** The member who put it aside last. */
  snoozed_by: Generated<number | null>;
  /** Labels that there may not be any more: see `labelsOf`. */
  label_ids: Generated<number[]>;
  /** Of its latest message, or an id of that time where there is none: ids grow with time. */
  last_message_id: number;
  last_message_at: Date;
};

export type ConversationRow = Selectable<ConversationsTable>;

/** Projects whose messages from before there were conversations are gone through, backwards from `before_id`. */
export type ConversationBackfillTable = { account_id: number; project_id: number; before_id: number | null };

/** Messages that were read here, and whose sender is still to be told of it by the phone that they came to. */
export type ReadReceiptsTable = {
  account_id: number;
  phone_id: number;
  message_id: number;
  due_at: Date;
  created_at: Date;
};

export type ConversationLabelsTable = {
  account_id: number;
  id: GeneratedAlways<number>;
  name: string;
  color: LabelColor;
  created_at: Date;
};

type ConversationNotesTable = {
  account_id: number;
  id: GeneratedAlways<number>;
  conversation_id: number;
  /** Null: written with a key. */
  author_id: number | null;
  author_name: string | null;
  text: string;
  mentions: number[];
  created_at: Date;
  edited_at: Date | null;
};

type ConversationPresenceTable = {
  account_id: number;
  user_id: number;
  conversation_id: number;
  state: PresenceState;
  expires_at: Date;
};

/** From when a person begins a conversation, or writes after it was done, until it is done again. */
type ConversationEpisodesTable = {
  account_id: number;
  id: GeneratedAlways<number>;
  project_id: number;
  conversation_id: number;
  opened_at: Date;
  answered_at: Date | null;
  answered_by: number | null;
  done_at: Date | null;
  done_by: number | null;
};

export type ConversationTables = {
  conversations: ConversationsTable;
  conversation_labels: ConversationLabelsTable;
  conversation_notes: ConversationNotesTable;
  conversation_presence: ConversationPresenceTable;
  conversation_episodes: ConversationEpisodesTable;
  conversation_backfill: ConversationBackfillTable;
  read_receipts: ReadReceiptsTable;
};
