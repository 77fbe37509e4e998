import { isDeepStrictEqual } from 'node:util';
import type { NewProfile, ProfileChange } from '#contracts/profiles.ts';
import type { AccountContext } from '#server/context.ts';
import { understandNumbers } from '#server/modules/numbers/reading/index.ts';
import { InvalidInputError } from '#server/platform/errors.ts';
import { callingCodeOf, isCountry, readPhone } from './numbers/read-phone.ts';
import type { ProfilePhone } from './numbers/read-phone.ts';
import type { ProfileRow } from './present.ts';

/** The values of a profile that a caller may set. */
export type ProfileValues = ProfilePhone & Pick<ProfileRow, 'name' | 'email' | 'custom_fields' | 'status' | 'tags'>;

/** `fallback`: the country that the profile has so far, where none is named. */
type AskedPhone = { given: string; country: string | null; fallback?: string | null };

/**
 * A number that is not clear is kept as full digits, which are not assignable. Throws 422 for a country there is not, and
 * for a number that cannot be one.
 */
async function requirePhone(ctx: AccountContext, asked: AskedPhone): Promise<ProfilePhone> {
  const { given } = asked;
  const country = asked.country ?? asked.fallback ?? null;
  if (country !== null && !isCountry(country)) {
    throw new InvalidInputError([{ path: 'country_code', message: 'There is no country with this code' }]);
  }
  const number = { written: given, country: asked.country, defaultCountry: asked.fallback };
  const [understood] = await understandNumbers(ctx, [number]);
  const isFull = understood?.kind === 'clear' && understood.by !== 'country';
  const phone = readPhone(isFull ? `+${understood.number}` : given, country);
  if (!phone) throw new InvalidInputError([{ path: 'phone', message: 'Invalid number' }]);
  if (country !== null && phone.calling_code !== null && phone.calling_code !== callingCodeOf(country)) {
    const message = `The number begins with +${phone.calling_code}, which is not the calling code of ${country}`;
    throw new InvalidInputError([{ path: 'country_code', message }]);
  }
  return { ...phone, phone_given: given };
}

/** Numbers as new profiles have them, by their places; undefined for what cannot be one. */
export async function readNewPhones(
  ctx: AccountContext,
  given: readonly string[],
): Promise<(ProfileValues | undefined)[]> {
  const understood = await understandNumbers(
    ctx,
    given.map((written) => ({ written, country: null })),
  );
  return given.map((text, place) => {
    const number = understood[place];
    const isFull = number?.kind === 'clear' && number.by !== 'country';
    const phone = readPhone(isFull ? `+${number.number}` : text, null);
    if (!phone) return undefined;
    return { ...phone, phone_given: text, name: null, email: null, custom_fields: null, status: 'active', tags: [] };
  });
}

export async function newProfileValues(ctx: AccountContext, input: NewProfile): Promise<ProfileValues> {
  return {
    ...(await requirePhone(ctx, { given: input.phone, country: input.country_code ?? null })),
    name: input.name ?? null,
    email: input.email ?? null,
    custom_fields: input.custom_fields ?? null,
    status: input.status ?? 'active',
    tags: input.tags ?? [],
  };
}

/** A profile after a change: what it does not name stays. A new country reads the number anew. */
export async function changedProfileValues(
  ctx: AccountContext,
  before: ProfileRow,
  change: ProfileChange,
): Promise<ProfileValues> {
  return {
    ...(await changedPhone(ctx, before, change)),
    name: change.name === undefined ? before.name : change.name,
    email: change.email === undefined ? before.email : change.email,
    custom_fields: change.custom_fields === undefined ? before.custom_fields : change.custom_fields,
    status: change.status ?? before.status,
    tags: change.tags ?? before.tags,
  };
}

function changedPhone(ctx: AccountContext, before: ProfileRow, change: ProfileChange): Promise<ProfilePhone> {
  const { phone, country_code: named } = change;
  const country = named === undefined ? before.country_code : named;
  if (phone === undefined || phone === before.phone_given || phone === before.phone) {
    if (country === before.country_code) return Promise.resolve(phoneOf(before));
    // A number given by a country's rules can be read by no others.
    return requirePhone(ctx, { given: country === null ? `+${before.phone}` : before.phone_given, country });
  }
  if (named !== undefined) return requirePhone(ctx, { given: phone, country });
  return requirePhone(ctx, { given: phone, country: null, fallback: before.country_code });
}

/** The order of custom fields is nothing. */
export function isUnchanged(before: ProfileRow, values: ProfileValues): boolean {
  return isDeepStrictEqual(comparable(before), comparable(values));
}

function comparable({ name, email, status, tags, custom_fields, ...row }: ProfileValues) {
  // By way of JSON, as it is stored: there is no -0.
  const fields: unknown = JSON.parse(JSON.stringify(custom_fields));
  return { ...phoneOf(row), name, email, status, tags, fields };
}

/** The number alone, of whatever has one. */
export function phoneOf(row: ProfilePhone): ProfilePhone {
  const { phone, phone_given, country_code, calling_code, national_number, phone_is_valid } = row;
  return { phone, phone_given, country_code, calling_code, national_number, phone_is_valid };
}

/** As the table takes them. */
export function storedValues({ custom_fields, ...values }: ProfileValues) {
  return { ...values, custom_fields: custom_fields === null ? null : JSON.stringify(custom_fields) };
}
