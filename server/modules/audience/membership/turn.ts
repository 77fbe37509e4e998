import { sql } from 'kysely';
import type { AccountContext, Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';

/** An account's turn. Nobody else evaluates its people as long as the token is the latest. */
export type Turn = { account: { id: number; timezone: string }; token: number; leaseEnd: Date; definitions: string };

/** After a crash another turn of the account begins so much later. */
const leaseMs = 30_000;

/** Of the accounts that are due, the one that was served longest ago. */
// account-wide: a worker serves the people of all accounts.
export async function claimTurn({ db, clock }: Context): Promise<Turn | undefined> {
  const now = clock.now();
  const leaseEnd = new Date(now.getTime() + leaseMs);
  const { rows } = await sql<{ id: number; timezone: string; token: number; definitions: string }>`
    /* prepared: claim-membership-turn */
    update audience_work w
       set due_at = ${leaseEnd}, claimed_until = ${leaseEnd}, served_at = ${now}, token = w.token + 1
      from (select account_id from audience_work where due_at <= ${now} and claimed_until <= ${now}
             order by served_at, account_id limit 1 for update skip locked) as due, accounts a
     where w.account_id = due.account_id and a.id = due.account_id
    returning w.account_id as id, a.timezone, w.token, w.definitions
  `.execute(db);
  const [row] = rows;
  return (
    row && { account: { id: row.id, timezone: row.timezone }, token: row.token, leaseEnd, definitions: row.definitions }
  );
}

/** `next`: when it has another one, unless somebody has asked for an earlier one meanwhile. */
export async function endTurn(
  { db }: Context,
  { account, token, leaseEnd }: Turn,
  next: Date | 'infinity',
): Promise<void> {
  await sql`
    update audience_work
       set claimed_until = '-infinity',
           due_at = least(case when due_at = ${leaseEnd}::timestamptz then 'infinity' else due_at end, ${next}::timestamptz)
     where account_id = ${account.id} and token = ${token}
  `.execute(db);
}

/** Accounts have a turn now, if they are followed. */
export async function makeDue({ db, clock }: Context, accountIds: readonly number[]): Promise<void> {
  const now = clock.now();
  await sql`
    /* prepared: make-membership-due */
    with sooner as (
      select account_id from audience_work
       where account_id = any(${accountIds}::bigint[]) and due_at > ${now} order by account_id for update
    )
    update audience_work w set due_at = ${now} from sooner where w.account_id = sooner.account_id
  `.execute(db);
}

/** The same of accounts whose notification was lost, or that wait until something may be built. */
// account-wide: what waits, of all accounts.
export async function findForgotten({ db }: Context): Promise<number[]> {
  const { rows } = await sql<{ account_id: number }>`
    with recursive waiting as (
      (select account_id from profile_changes order by account_id limit 1)
      union all
      select (select c.account_id from profile_changes c where c.account_id > w.account_id order by c.account_id limit 1)
        from waiting w where w.account_id is not null
    )
    select account_id from waiting where account_id is not null
    union select account_id from audience_work where not is_ready
  `.execute(db);
  return rows.map(({ account_id: accountId }) => accountId);
}

/** The turn is over: it took too long, and somebody else has begun another one. */
export class TurnLostError extends Error {}

/** A transaction that the turn alone may commit: until it ends no other turn of the account begins. */
export async function inTurn<T>(
  ctx: AccountContext,
  { account, token }: Turn,
  work: (tx: Tx<AccountContext>) => Promise<T>,
): Promise<T> {
  return inTransaction(ctx, async (tx) => {
    const { rows } = await sql`
      select from audience_work where account_id = ${account.id} and token = ${token} for no key update
    `.execute(tx.db);
    if (rows.length === 0) throw new TurnLostError('Another turn of the account has begun');
    return work(tx);
  });
}
