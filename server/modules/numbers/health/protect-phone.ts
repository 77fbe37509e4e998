import type { PhoneProtection } from '#contracts/phone-health.ts';
import type { Tx } from '#server/context.ts';
import { newHealth } from './health.ts';
import { healthColumns } from './stored-health.ts';

/** Stores the owner's switches of a phone's protection, also before it is linked. */
export async function protectPhone(
  tx: Tx,
  { accountId, phoneId }: { accountId: number; phoneId: number },
  { is_protected, quiet_hours: has_quiet_hours, older_account: is_older_account }: PhoneProtection,
): Promise<void> {
  const change = {
    ...(is_protected !== undefined && { is_protected }),
    ...(has_quiet_hours !== undefined && { has_quiet_hours }),
    ...(is_older_account !== undefined && { is_older_account }),
  };
  if (Object.keys(change).length === 0) return;
  const values = { account_id: accountId, phone_id: phoneId, state_since: tx.clock.now(), ...healthColumns(newHealth) };
  await tx.db
    .insertInto('phone_health')
    .values({ ...values, ...change })
    .onConflict((conflict) => conflict.column('phone_id').doUpdateSet(change))
    .execute();
}
