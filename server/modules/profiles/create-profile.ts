import type { NewProfile, Profile } from '#contracts/profiles.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { followOptOut, presentOne } from './opt-out.ts';
import type { ProfileRow } from './present.ts';
import { ProfileExistsError } from './profile-exists-error.ts';
import { findProfileId } from './queries.ts';
import { newProfileValues, storedValues } from './profile-values.ts';
import type { ProfileValues } from './profile-values.ts';

/** Throws 409 `profile_exists` when the account has a profile with this number. */
export async function createProfile(ctx: AccountContext, input: NewProfile): Promise<Profile> {
  const values = newProfileValues(input);
  return inTransaction(ctx, async (tx) => {
    const row = await insertProfile(tx, values);
    if (!row) throw new ProfileExistsError(await findProfileId(tx, values.phone));
    await followOptOut(tx, { after: row, input });
    return presentOne(tx, row);
  });
}

/** Undefined when there is one with this number. */
export async function insertProfile(tx: Tx<AccountContext>, values: ProfileValues): Promise<ProfileRow | undefined> {
  const now = tx.clock.now();
  const row = await tx.db
    .insertInto('profiles')
    .values({ ...storedValues(values), account_id: tx.account.id, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row) {
    const source = { accountId: tx.account.id, at: now };
    await tx.onDomainEvents(tx, [
      { ...source, type: 'profiles.changed' },
      { ...source, type: 'profiles.numbered', profileIds: [row.id] },
    ]);
  }
  return row;
}
