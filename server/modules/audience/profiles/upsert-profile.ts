import type { NewProfile, Profile, ProfileChange } from '#contracts/profiles.ts';
import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { retryConflicts } from '#server/platform/db/retry-conflicts.ts';
import { namesFacts } from './facts.ts';
import { makeProfile } from './make-profile.ts';
import { mergeFields } from './merge-fields.ts';
import { followOptOut, presentOne } from './opt-out.ts';
import { presentProfile } from './present.ts';
import type { ListedProfileRow, ProfileRow } from './present.ts';
import { changedProfileValues, isUnchanged, newProfileValues } from './profile-values.ts';
import type { ProfileValues } from './profile-values.ts';
import { findProfileByPhone, lockProfileByPhone } from './queries.ts';
import { saveProfile } from './update-profile.ts';

type Upserted = { status: 200 | 201; body: Profile };

/**
 * Creates the profile with this number, or changes what the input names of it. Custom fields are merged one level deep:
 * what the input does not name stays, and null deletes a field. The list of those who opted out never loses a number by
 * it.
 */
export async function upsertProfile(ctx: AccountContext, input: NewProfile): Promise<Upserted> {
  const values = await newProfileValues(ctx, input);
  for (;;) {
    const found = await findProfileByPhone(ctx, values.phone);
    if (found) {
      const body = await changeFound(ctx, { found, values, input });
      if (body) return { status: 200, body };
    } else {
      const custom_fields = mergeFields(null, values.custom_fields, 'custom_fields');
      const body = await makeProfile(ctx, { values: { ...values, custom_fields }, input });
      if (body) return { status: 201, body };
    }
    // Another call made it in between, or took it away: it is looked for anew.
  }
}

type Finding = { found: ListedProfileRow; values: ProfileValues; input: NewProfile };

/** Undefined when it is gone. A change without effect waits for no lock. */
async function changeFound(ctx: AccountContext, { found, values, input }: Finding): Promise<Profile | undefined> {
  const isSame = isUnchanged(found, await changedProfileValues(ctx, found, changeOf(found, input, values)));
  if (isSame && input.opted_out !== true && !namesFacts(input)) return presentProfile(found);
  return retryConflicts(() =>
    inTransaction(ctx, async (tx) => {
      const before = await lockProfileByPhone(tx, values.phone);
      if (!before) return undefined;
      const after = await saveProfile(tx, before, changeOf(before, input, values));
      const isListed = await followOptOut(tx, { before, after, input });
      // The number stays the same person's, so that what is known of it does.
      return isListed || namesFacts(input) ? presentOne(tx, after) : presentProfile({ ...before, ...after });
    }),
  );
}

/** The number says who it is about, so that another way to write it changes nothing; another country does. */
function changeOf(before: ProfileRow, input: NewProfile, values: ProfileValues): ProfileChange {
  const { phone, country_code, custom_fields, opted_out: _, ...change } = input;
  const isMoved = values.phone === before.phone && values.country_code !== before.country_code;
  const isCountryNamed = country_code !== undefined && country_code !== null;
  return {
    ...change,
    ...(isMoved && isCountryNamed && { phone, country_code }),
    ...(custom_fields !== undefined && {
      custom_fields: mergeFields(before.custom_fields, custom_fields, 'custom_fields'),
    }),
  };
}
