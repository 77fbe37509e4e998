import type { Profile } from '#contracts/profiles.ts';
import type { AccountContext } from '#server/context.ts';
import { presentProfile } from './present.ts';
import { getProfileRow } from './queries.ts';

export async function getProfile(ctx: AccountContext, input: { profileId: number }): Promise<Profile> {
  return presentProfile(await getProfileRow(ctx, input.profileId));
}
