import type { Profile, ProfileChange } from '#contracts/profiles.ts';
import { MissingPermissionError } from '#server/actor.ts';
import { recordingAct } from '#server/audit.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import { isUniqueViolation } from '#server/platform/db/errors.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { narrowedTo } from '#server/scope.ts';
import { saveFacts } from './facts.ts';
import { followOptIn, followOptOut, presentOne } from './opt-out.ts';
import type { ProfileRow } from './present.ts';
import { ProfileExistsError } from './profile-exists-error.ts';
import { findProfileId, getProfileRow, lockProfile } from './queries.ts';
import { changedProfileValues, isUnchanged, storedValues } from './profile-values.ts';

type UpdateProfile = { profileId: number; change: ProfileChange };

/** Throws 409 `profile_exists` when the number is another profile's, 422 for an opt-in without a reason, 403 `missing_permission` for another number by a narrowed member. */
export async function updateProfile(ctx: AccountContext, { profileId, change }: UpdateProfile): Promise<Profile> {
  try {
    return await recordingAct(ctx, async (tx) => {
      const before = await lockProfile(tx, profileId);
      if (!before) throw new NotFoundError('Profile');
      const after = await saveProfile(tx, before, change);
      await followOptOut(tx, { before, after, input: change });
      const isIn = await followOptIn(tx, after, change);
      return presentOne(tx, isIn ? await getProfileRow(tx, profileId) : after);
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new ProfileExistsError(await findHolder(ctx, profileId, change));
    throw error;
  }
}

/** Finds the holder of the number that a change would give to this profile. */
async function findHolder(ctx: AccountContext, profileId: number, change: ProfileChange): Promise<number | undefined> {
  const { phone } = await changedProfileValues(ctx, await getProfileRow(ctx, profileId), change);
  return findProfileId(ctx, phone);
}

/** A change without effect writes nothing: `updated_at` says when a profile changed, and flows go by it. */
export async function saveProfile(
  tx: Tx<AccountContext>,
  before: ProfileRow,
  change: ProfileChange,
): Promise<ProfileRow> {
  const values = await changedProfileValues(tx, before, change);
  // Another number is another person, whom they may not see.
  if (values.phone !== before.phone && narrowedTo(tx) !== null) {
    throw new MissingPermissionError('contacts:write', tx.actor);
  }
  const hasOtherFacts = await saveFacts(tx, before.id, change);
  if (isUnchanged(before, values) && !hasOtherFacts) return before;
  const now = tx.clock.now();
  const row = await tx.db
    .updateTable('profiles')
    .set({ ...storedValues(values), updated_at: now })
    .where('account_id', '=', tx.account.id)
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const source = { accountId: tx.account.id, at: now, profileIds: [row.id] };
  await tx.onDomainEvents(tx, [{ ...source, type: 'profiles.changed' }]);
  if (row.phone !== before.phone) await tx.onDomainEvents(tx, [{ ...source, type: 'profiles.numbered' }]);
  return row;
}
