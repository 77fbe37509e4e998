import { sql } from 'kysely';
import { phonesStayLinkedDays } from '#contracts/billing.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { recordPhonesSignedOut } from '#server/modules/identity/billing/index.ts';
import { signOutAccountPhones } from '../disconnect-phone.ts';

const dayMs = 86_400_000;
const batchSize = 100;
const reason = `Signed out, as the subscription ended ${phonesStayLinkedDays} days ago`;

/** Signs out the phones of accounts whose access ended 30 days ago, and notifies their owners. */
export async function signOutLapsedPhones(ctx: Context): Promise<void> {
  const endedBefore = new Date(ctx.clock.now().getTime() - phonesStayLinkedDays * dayMs);
  for (;;) {
    const accountIds = await findLapsedAccounts(ctx, endedBefore);
    for (const accountId of accountIds) await signOutPhonesOf(ctx, accountId, endedBefore);
    if (accountIds.length < batchSize) return;
  }
}

async function findLapsedAccounts(ctx: Context, endedBefore: Date): Promise<number[]> {
  const rows = await ctx.db
    .selectFrom('accounts')
    .select('id')
    .where('access_until', '<=', endedBefore)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('phones')
          .select('phones.id')
          .whereRef('phones.account_id', '=', 'accounts.id')
          .where('phones.wanted', '<>', 'offline'),
      ),
    )
    .orderBy('id')
    .limit(batchSize)
    .execute();
  return rows.map(({ id }) => id);
}

async function signOutPhonesOf(ctx: Context, accountId: number, endedBefore: Date): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    // Locked: who comes back at this very moment keeps the phones.
    const { rows } = await sql<{ access_until: Date; timezone: string }>`
      select access_until, timezone from accounts
       where id = ${accountId} and access_until <= ${endedBefore} for no key update
    `.execute(tx.db);
    const account = rows[0];
    if (!account) return;
    await signOutAccountPhones({ ...tx, account: { id: accountId, timezone: account.timezone } }, reason);
    await recordPhonesSignedOut(tx, accountId, account.access_until);
  });
}
