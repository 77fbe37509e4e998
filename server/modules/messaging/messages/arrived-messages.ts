import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/** A source of messages to many, by the column of its id. */
type Origin = { accountId: number; column: 'campaign_id' | 'flow_id' | 'bulk_run_id'; sourceId: number };

/** How far a message has come with people: one that was read has been delivered, too. */
export type Arrival = 'delivered' | 'read';

const arrivedStatuses: Record<Arrival, RawBuilder<unknown>> = {
  delivered: sql`('delivered', 'read')`,
  read: sql`('read')`,
};

/** The ids of what arrived of the messages that one source wrote, as a select of `message_id`. */
export const arrivedMessages = ({ accountId, column, sourceId }: Origin, arrival: Arrival): RawBuilder<unknown> => sql`
  select id as message_id from messages
   where account_id = ${accountId} and ${sql.ref(column)} = ${sourceId} and status in ${arrivedStatuses[arrival]}`;

/** Whether the message with an id has arrived; looked up by its key. */
export const hasArrived = (accountId: number, messageId: RawBuilder<unknown>, arrival: Arrival): RawBuilder<boolean> =>
  sql`(select true from messages m where m.account_id = ${accountId} and m.id = ${messageId}
          and m.status in ${arrivedStatuses[arrival]} limit 1)`;
