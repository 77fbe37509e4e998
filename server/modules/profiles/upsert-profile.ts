import { CustomFields } from '#contracts/profiles.ts';
import type { NewProfile, Profile, ProfileChange } from '#contracts/profiles.ts';
import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { retryConflicts } from '#server/platform/db/retry-conflicts.ts';
import { InvalidInputError } from '#server/platform/errors.ts';
import { insertProfile } from './create-profile.ts';
import { followOptOut, presentOne } from './opt-out.ts';
import type { ProfileRow } from './present.ts';
import { newProfileValues } from './profile-values.ts';
import type { ProfileValues } from './profile-values.ts';
import { lockProfileByPhone } from './queries.ts';
import { saveProfile } from './update-profile.ts';

type Upserted = { status: 200 | 201; body: Profile };

/**
 * Creates the profile with this number, or changes what the input names of it. Custom fields are merged one level deep:
 * what the input does not name stays, and null deletes a field. It never takes a number off the list of those who opted
 * out.
 */
export async function upsertProfile(ctx: AccountContext, input: NewProfile): Promise<Upserted> {
  const values = newProfileValues(input);
  return retryConflicts(() =>
    inTransaction(ctx, async (tx) => {
      for (;;) {
        const before = await lockProfileByPhone(tx, values.phone);
        if (before) {
          const after = await saveProfile(tx, before, changeOf(before, input, values));
          await followOptOut(tx, { before, after, input });
          return { status: 200, body: await presentOne(tx, after) };
        }
        const row = await insertProfile(tx, { ...values, custom_fields: mergeFields(null, values.custom_fields) });
        if (row) {
          await followOptOut(tx, { after: row, input });
          return { status: 201, body: await presentOne(tx, row) };
        }
        // Another call created it in between: it is there to be changed now.
      }
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
    ...(custom_fields !== undefined && { custom_fields: mergeFields(before.custom_fields, custom_fields) }),
  };
}

type Fields = ProfileValues['custom_fields'];

function mergeFields(before: Fields, named: Fields): Fields {
  if (named === null) return null;
  const deleted = new Set(Object.keys(named).filter((key) => named[key] === null));
  const kept = Object.entries({ ...before, ...named }).filter(([key]) => !deleted.has(key));
  const merged = Object.fromEntries(kept);
  const problem = CustomFields.safeParse(merged).error?.issues[0]?.message;
  if (problem !== undefined) throw new InvalidInputError([{ path: 'custom_fields', message: problem }]);
  return merged;
}
