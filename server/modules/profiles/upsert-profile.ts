import type { NewProfile, Profile } from '#contracts/profiles.ts';
import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { insertProfile } from './create-profile.ts';
import { presentProfile } from './present.ts';
import { newProfileValues } from './profile-values.ts';
import { lockProfileByPhone } from './queries.ts';
import { saveProfile } from './update-profile.ts';

type Upserted = { status: 200 | 201; body: Profile };

/** Creates the profile with this number, or changes what the input names of it. */
export async function upsertProfile(ctx: AccountContext, input: NewProfile): Promise<Upserted> {
  const values = newProfileValues(input);
  return inTransaction(ctx, async (tx) => {
    for (;;) {
      const before = await lockProfileByPhone(tx, values.phone);
      if (before) return { status: 200, body: presentProfile(await saveProfile(tx, before, input)) };
      const row = await insertProfile(tx, values);
      if (row) return { status: 201, body: presentProfile(row) };
      // Another call created it in between: it is there to be changed now.
    }
  });
}
