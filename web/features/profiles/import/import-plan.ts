import { parseFieldPath } from '#contracts/field-path.ts';
import type { ImportPlan, ProfileImport } from '#contracts/profile-imports.ts';

/** Where each column goes, and the country of numbers without a calling code; both as the page has them. */
export type Plan = { fields: readonly (string | null)[]; country: string };

const customPrefix = 'custom_fields.';

/** A profile's own fields, with what the page calls them. */
export const profileFieldLabels: ReadonlyMap<string, string> = new Map([
  ['phone', 'Phone'],
  ['country_code', 'Country code'],
  ['name', 'Name'],
  ['first_name', 'First name'],
  ['last_name', 'Last name'],
  ['email', 'Email'],
  ['status', 'Status'],
  ['tags', 'Tags'],
  ['opted_out', 'Opted out'],
]);

export function planOf({ columns, country_code }: ProfileImport): Plan {
  return { fields: columns.map(({ field }) => field), country: country_code ?? '' };
}

export function isSamePlan(one: Plan, other: Plan): boolean {
  return one.country === other.country && one.fields.every((field, index) => field === other.fields[index]);
}

export function requestOf({ fields, country }: Plan): ImportPlan {
  return { fields: [...fields], country_code: country === '' ? null : country };
}

export function isCustomField(field: string | null): field is string {
  return field?.startsWith(customPrefix) === true;
}

/** The name of a custom field as it is typed: keys with dots between. */
export function customFieldName(field: string): string {
  return field.slice(customPrefix.length);
}

export function customField(name: string): string {
  return customPrefix + name;
}

/** Why a file cannot be imported like this; undefined when it can. */
export function findPlanProblem({ fields, country }: Plan): string | undefined {
  const used = fields.filter((field) => field !== null);
  if (!used.includes('phone')) return 'Choose the column that holds the phone number.';
  if (used.some((field) => isCustomField(field) && !isWellNamed(field))) return 'Give every custom field a name.';
  const twice = used.find((field, index) => used.indexOf(field) !== index);
  if (twice !== undefined) return `Two columns go to ${profileFieldLabels.get(twice) ?? twice}. Leave one of them out.`;
  if (country !== '' && !/^[A-Z]{2}$/.test(country)) return 'Use a country code of two letters.';
  return undefined;
}

function isWellNamed(field: string): boolean {
  const path = parseFieldPath(field);
  return path?.kind === 'custom' && path.keys.every((key) => key.trim() !== '');
}
