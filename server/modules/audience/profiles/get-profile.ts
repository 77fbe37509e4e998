import type { Profile } from '#contracts/profiles.ts';
import type { AccountContext } from '#server/context.ts';
import { presentOne } from './opt-out.ts';
import { getProfileRow } from './queries.ts';

export async function getProfile(ctx: AccountContext, input: { profileId: number }): Promise<Profile> {
  return presentOne(ctx, await getProfileRow(ctx, input.profileId));
}
