import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Message } from '#contracts/messages.ts';
import type { MessageOrigin } from '#server/modules/messaging/messages/index.ts';
import type { RecipientProfile } from '../placeholder-text.ts';

/**
 * The recipients of messages of a source (a campaign, a flow, a bulk run), and the outcome for each: an entry for each
 * message. This is what the ledgers do not share; a new kind of source brings its tables, what makes an entry unique in
 * them, and its texts. Tables of entries have account_id, the source's id, the key, phone, status, message_id and
 * reason; tables of tallies account_id, the source's id, queued, sent, failed and skipped.
 */
export type Ledger = {
  name: 'campaign' | 'flow' | 'bulk_run';
  entries: 'campaign_recipients' | 'flow_deliveries' | 'bulk_run_rows';
  tallies: 'campaign_tallies' | 'flow_tallies' | 'bulk_run_tallies';
  /** The column with the source's id, in both tables. */
  source: 'campaign_id' | 'flow_id' | 'bulk_run_id';
  /** The identity of an entry within its source. Entries are enqueued in its order. */
  key: 'profile_id' | 'id' | 'row_number';
  /** The entry's profile, over its table; null where entries are of numbers. */
  profileId: RawBuilder<number | null>;
  /** Whether the entry itself has the words of a search, over its table; undefined where its profile has them. */
  hasWords: ((search: string) => RawBuilder<boolean>) | undefined;
  /**
   * Whom the entry `e` (`entry_key`, `entry_profile_id`) is for: at most one row with the columns of a profile, and
   * `is_member`, whether the audience still has it.
   */
  recipientOf(of: SourceRef & { audience: RawBuilder<boolean> }): RawBuilder<unknown>;
  /** The template as this recipient reads it. */
  fill(template: string, recipient: RecipientProfile): string;
  originOf(sourceId: number): MessageOrigin;
  sourceIdOf(message: Message): number | null;
  /** A condition by an index that finds the entry `e` of the message `m` of the source `m.source_id`. */
  entryOfMessage: RawBuilder<boolean>;
  /** Columns of this ledger alone, as assignments after others: `, column = value`. */
  onHandOver(step: { projectId: number; now: Date }): RawBuilder<unknown>;
  onRecall: RawBuilder<unknown>;
  /** `n` is the news: its time `at`, and the message's `body` and `sent_at`. */
  onSettle: RawBuilder<unknown>;
  /** Why who no longer matches gets nothing. */
  noLongerMatches: string;
};

export type SourceRef = { accountId: number; sourceId: number };

/** The ledger's part of a source's row. With the tallies added, the counts follow the entries. */
export type LedgerCounts = { queued_count: number; sent_count: number; failed_count: number; skipped_count: number };

/** An entry's table, and what narrows a statement over it to one source. */
export const entriesOf = ({ entries }: Ledger) => sql.table(entries);

export const ofSource = (ledger: Ledger, { accountId, sourceId }: SourceRef): RawBuilder<boolean> =>
  sql`account_id = ${accountId} and ${sql.ref(ledger.source)} = ${sourceId}`;

/** The name under which a connection keeps the plan of a statement of this ledger. */
export const prepared = ({ name }: Ledger, statement: string) => sql.raw(`/* prepared: ${statement}-${name} */`);
