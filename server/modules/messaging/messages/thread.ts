import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { AccountContext } from '#server/context.ts';
import type { MessageRow } from './present.ts';

/** Over `messages`: the key of the number on the other side, or `lid:` and its address; as the index of threads has it. */
export const contactKey: RawBuilder<string | null> = sql`
  coalesce(phone_key(case direction when 'incoming' then sender else recipient end), 'lid:' || from_lid)`;

export type Contact = { account_id: number; project_id: number; contact_key: string };

/** Over `messages`: all that a project wrote to one person, and what that one wrote. */
export const isOfContact = ({ account_id, project_id, contact_key }: Contact): RawBuilder<boolean> => sql`
  account_id = ${account_id} and project_id = ${project_id} and ${contactKey} = ${contact_key}`;

/**
 * Messages with one person before the id `after`, newest first: one more than `limit` where there are more. Changes are
 * shown on the messages that they are about.
 */
export async function readThread(
  { db }: AccountContext,
  contact: Contact,
  { after, limit }: { after: number | undefined; limit: number },
): Promise<MessageRow[]> {
  const { rows } = await sql<MessageRow>`
    select * from messages
     where ${isOfContact(contact)} and coalesce(type, 'text') not in ('reaction', 'edit', 'deletion') and ${after === undefined ? sql`true` : sql`id < ${after}`}
     order by id desc
     limit ${limit + 1}
  `.execute(db);
  return rows;
}

/** The messages of the account with these ids that are still kept. */
export async function readMessages(ctx: AccountContext, ids: readonly number[]): Promise<MessageRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<MessageRow>`
    select * from messages where account_id = ${ctx.account.id} and id = any(${ids}::bigint[])
  `.execute(ctx.db);
  return rows;
}
