import { isDeepStrictEqual } from 'node:util';
import type { NewProfile, ProfileChange } from '#contracts/profiles.ts';
import { InvalidInputError } from '#server/platform/errors.ts';
import { callingCodeOf, isCountry, readPhone } from './numbers/read-phone.ts';
import type { ProfilePhone } from './numbers/read-phone.ts';
import type { ProfileRow } from './present.ts';

/** What a caller may set of a profile. */
export type ProfileValues = ProfilePhone & Pick<ProfileRow, 'name' | 'email' | 'custom_fields' | 'status' | 'tags'>;

/** Throws 422 for a country there is not, and for a number that cannot be one. */
export function requirePhone(given: string, country: string | null): ProfilePhone {
  if (country !== null && !isCountry(country)) {
    throw new InvalidInputError([{ path: 'country_code', message: 'There is no country with this code' }]);
  }
  const phone = readPhone(given, country);
  if (!phone) throw new InvalidInputError([{ path: 'phone', message: 'Invalid number' }]);
  if (country !== null && phone.calling_code !== null && phone.calling_code !== callingCodeOf(country)) {
    const message = `The number begins with +${phone.calling_code}, which is not the calling code of ${country}`;
    throw new InvalidInputError([{ path: 'country_code', message }]);
  }
  return phone;
}

export function newProfileValues(input: NewProfile): ProfileValues {
  return {
    ...requirePhone(input.phone, input.country_code ?? null),
    name: input.name ?? null,
    email: input.email ?? null,
    custom_fields: input.custom_fields ?? null,
    status: input.status ?? 'active',
    tags: input.tags ?? [],
  };
}

/** A profile after a change: what it does not name stays. A new country reads the number anew. */
export function changedProfileValues(before: ProfileRow, change: ProfileChange): ProfileValues {
  const isPhoneNamed = change.phone !== undefined || change.country_code !== undefined;
  const country = change.country_code === undefined ? before.country_code : change.country_code;
  // What was given by a country's rules can be read by no others.
  const isSamePhone = change.phone === undefined || change.phone === before.phone_given;
  const given =
    change.phone !== undefined && !isSamePhone ? change.phone : country === null ? before.phone : before.phone_given;
  return {
    ...(isPhoneNamed ? requirePhone(given, country) : phoneOf(before)),
    name: change.name === undefined ? before.name : change.name,
    email: change.email === undefined ? before.email : change.email,
    custom_fields: change.custom_fields === undefined ? before.custom_fields : change.custom_fields,
    status: change.status ?? before.status,
    tags: change.tags ?? before.tags,
  };
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

function phoneOf(row: ProfilePhone): ProfilePhone {
  const { phone, phone_given, country_code, calling_code, national_number, phone_is_valid } = row;
  return { phone, phone_given, country_code, calling_code, national_number, phone_is_valid };
}

/** As the table takes them. */
export function storedValues({ custom_fields, ...values }: ProfileValues) {
  return { ...values, custom_fields: custom_fields === null ? null : JSON.stringify(custom_fields) };
}
