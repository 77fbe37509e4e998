import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { ProblemError } from '#server/platform/errors.ts';
import { contactKey } from './thread.ts';

const rowsAtOnce = 500;

type Erasing = {
  accountId: number;
  profileId: number;
  /** In every form. */
  numbers: readonly string[];
  /** Of their numbers and addresses, as conversations have them. */
  contactKeys: readonly string[];
  /** Messages that wait to be sent as well: what a ledger waits for is to be withdrawn first. */
  withWaiting: boolean;
};

/**
 * Deletes the messages from and to one person, in slices, and answers the files that they brought. Throws 503 `busy`
 * while one is being sent: its outcome would be lost.
 */
export async function eraseMessagesOf(
  { db }: Context,
  { accountId, profileId, numbers, contactKeys, withWaiting }: Erasing,
): Promise<string[]> {
  const isErased = withWaiting ? sql`true` : sql`status not in ('scheduled', 'deferred', 'pending', 'sending')`;
  const files: string[] = [];
  const projects = await db.selectFrom('projects').select('id').where('account_id', '=', accountId).execute();
  for (const { id: projectId } of projects) {
    for (;;) {
      const { rows } = await sql<{ media_id: string | null; status: string }>`
        delete from messages
         where account_id = ${accountId} and id in (
           select id from messages
            where account_id = ${accountId} and project_id = ${projectId} and ${contactKey} = any(${contactKeys}::text[])
              and ${isErased}
            limit ${rowsAtOnce})
        returning media ->> 'id' as media_id, status
      `.execute(db);
      if (rows.some(({ status }) => status === 'sending')) throw new MessageUnderWayError();
      files.push(...rows.flatMap(({ media_id: id }) => id ?? []));
      if (rows.length < rowsAtOnce) break;
    }
  }
  // Messages that the owner wrote on the handset are noted under whom they went to.
  const sides = [...numbers, ...contactKeys].flatMap((side) => [side, `to:${side}`]);
  await sql`
    delete from incoming_messages_seen where account_id = ${accountId} and sender = any(${sides}::text[])
  `.execute(db);
  await db
    .deleteFrom('profile_adoptions')
    .where('account_id', '=', accountId)
    .where('profile_id', '=', profileId)
    .execute();
  return files;
}

class MessageUnderWayError extends ProblemError {
  constructor() {
    super(503, 'busy', 'A message to them is being sent just now. Try again in a few seconds.', {
      headers: { 'retry-after': '2' },
    });
  }
}
