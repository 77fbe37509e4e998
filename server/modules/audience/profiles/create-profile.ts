import type { NewProfile, Profile } from '#contracts/profiles.ts';
import type { AccountContext } from '#server/context.ts';
import { makeProfile } from './make-profile.ts';
import { ProfileExistsError } from './profile-exists-error.ts';
import { newProfileValues } from './profile-values.ts';
import { findProfileId } from './queries.ts';

/** Throws 409 `profile_exists` when the account has a profile with this number. */
export async function createProfile(ctx: AccountContext, input: NewProfile): Promise<Profile> {
  const values = await newProfileValues(ctx, input);
  const profile = await makeProfile(ctx, { values, input });
  if (!profile) throw new ProfileExistsError(await findProfileId(ctx, values.phone));
  return profile;
}
