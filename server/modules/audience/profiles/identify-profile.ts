import type { NamedPerson } from '#contracts/identify.ts';
import type { NewProfile, Profile, ProfileChange } from '#contracts/profiles.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { isUniqueViolation } from '#server/platform/db/errors.ts';
import { retryConflicts } from '#server/platform/db/retry-conflicts.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { findByExternalId, findFacts } from './facts.ts';
import { makeProfile } from './make-profile.ts';
import { mergeFields } from './merge-fields.ts';
import { followOptOut, presentOne } from './opt-out.ts';
import { ProfileExistsError } from './profile-exists-error.ts';
import { newProfileValues } from './profile-values.ts';
import { findProfileId, getProfileRow, lockProfile } from './queries.ts';
import { saveProfile } from './update-profile.ts';

/** Ids that others take, or give up, meanwhile are looked for anew. */
const tries = 5;

/**
 * The ids that are given belong to one profile from then on, with these traits. Throws 409 `profile_exists` where they
 * are two people's, 404 where nobody has them and no phone makes a profile.
 */
export async function identifyProfile(ctx: AccountContext, person: NamedPerson): Promise<Profile> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const profile = await retryConflicts(() => inTransaction(ctx, (tx) => identifyOnce(tx, person)));
      if (profile) return profile;
    } catch (error) {
      if (!isUniqueViolation(error) || attempt === tries) throw error;
    }
  }
}

/** Undefined where another call made the profile, or took it away, in between. */
async function identifyOnce(tx: Tx<AccountContext>, person: NamedPerson): Promise<Profile | undefined> {
  const { phone, external_id, traits } = person;
  const { profileId, isByPhone } = await findPerson(tx, person);
  if (profileId === undefined) {
    if (phone === undefined) throw new NotFoundError('Profile');
    const input: NewProfile = { phone, ...(external_id !== undefined && { external_id }), ...valuesOf(traits, null) };
    return makeProfile(tx, { values: await newProfileValues(tx, input), input });
  }
  const before = await lockProfile(tx, profileId);
  if (!before) return undefined;
  const change: ProfileChange = {
    // Another way to write the number that it has is no change.
    ...(phone !== undefined && !isByPhone && { phone }),
    ...(external_id !== undefined && { external_id }),
    ...valuesOf(traits, before.custom_fields),
  };
  const after = await saveProfile(tx, before, change);
  await followOptOut(tx, { before, after, input: {} });
  return presentOne(tx, after);
}

/** The one profile that the ids name, as far as they name any. */
async function findPerson(
  tx: Tx<AccountContext>,
  { phone, external_id: externalId, profile_id: given }: NamedPerson,
): Promise<{ profileId: number | undefined; isByPhone: boolean }> {
  if (given !== undefined) await getProfileRow(tx, given);
  const byPhone =
    phone === undefined ? undefined : await findProfileId(tx, (await newProfileValues(tx, { phone })).phone);
  const byExternalId = externalId === undefined ? undefined : await findByExternalId(tx, externalId);
  const found = [given, byPhone, byExternalId].filter((id) => id !== undefined);
  const [profileId, ...others] = new Set(found);
  const [other] = others;
  if (other !== undefined) throw new ProfileExistsError(other, other === byPhone ? 'number' : 'external id');
  if (profileId !== undefined && externalId !== undefined && byExternalId === undefined)
    await requireFreeExternalId(tx, profileId);
  return { profileId, isByPhone: byPhone !== undefined };
}

/** A person who has another external id is another person. */
async function requireFreeExternalId(tx: Tx<AccountContext>, profileId: number): Promise<void> {
  const facts = (await findFacts(tx, [profileId])).get(profileId);
  if (facts && facts.external_id !== null) throw new ProfileExistsError(profileId, 'number');
}

/** The values that traits name; custom fields are merged with those of before. */
function valuesOf(
  { name, email, ...fields }: NamedPerson['traits'],
  before: Record<string, unknown> | null,
): Pick<ProfileChange, 'name' | 'email' | 'custom_fields'> {
  const text = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null);
  return {
    ...(name !== undefined && { name: text(name) }),
    ...(email !== undefined && { email: text(email) }),
    ...(Object.keys(fields).length > 0 && { custom_fields: mergeFields(before, fields, 'traits') }),
  };
}
