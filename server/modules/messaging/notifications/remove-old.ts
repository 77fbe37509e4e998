import { sql } from 'kysely';
import type { Context } from '#server/context.ts';

const keptDays = 30;
const dayMs = 86_400_000;
/** Of a person; the oldest go. */
const mostOfPerson = 500;
const removedPerStep = 2_000;

// account-wide: what is too old goes, whosever it is.
/** Notifications of more than 30 days ago, and beyond 500 of a person; browsers whose sessions have ended. */
export async function removeOldNotifications({ db, clock }: Context): Promise<void> {
  const now = clock.now();
  const before = new Date(now.getTime() - keptDays * dayMs);
  let removed = removedPerStep;
  while (removed === removedPerStep) {
    const { numAffectedRows = 0n } = await sql`
      delete from notifications
       where (account_id, id) in (select account_id, id from notifications
                                   where created_at < ${before} order by created_at limit ${removedPerStep})
    `.execute(db);
    removed = Number(numAffectedRows);
  }
  await sql`
    delete from notifications n
     using (select account_id, user_id, id,
                   row_number() over (partition by account_id, user_id order by id desc) as place
              from notifications) as placed
     where placed.place > ${mostOfPerson} and n.account_id = placed.account_id and n.id = placed.id
  `.execute(db);
  await sql`
    delete from push_subscriptions p
     where not exists (select from sessions s where s.token_hash = p.session_hash and s.expires_at > ${now})
  `.execute(db);
}
