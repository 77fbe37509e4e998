import type { ColumnType } from '#contracts/column-types.ts';
import { parseFieldPath } from '#contracts/field-path.ts';
import type { ImportPlan, ProfileImport } from '#contracts/profile-imports.ts';

/** Where each column goes, how its cells are read, and the country of numbers without a calling code; null: the account's. */
export type Plan = { fields: readonly (string | null)[]; types: readonly ColumnType[]; country: string | null };

const customPrefix = 'custom_fields.';

/** A profile's own fields, with what the page calls them. */
export const profileFieldLabels: ReadonlyMap<string, string> = new Map([
  ['phone', 'Phone'],
  ['country_code', 'Country code'],
  ['name', 'Name'],
  ['first_name', 'First name'],
  ['last_name', 'Last name'],
  ['email', 'Email'],
  ['language', 'Language'],
  ['timezone', 'Time zone'],
  ['external_id', 'External id'],
  ['status', 'Status'],
  ['tags', 'Tags'],
  ['opted_out', 'Opted out'],
]);

export const columnTypeLabels: ReadonlyMap<ColumnType, string> = new Map([
  ['text', 'Text'],
  ['number', 'Number'],
  ['date_dmy', 'Date: day/month/year'],
  ['date_mdy', 'Date: month/day/year'],
  ['date_iso', 'Date: year-month-day'],
  ['yes_no', 'Yes or no'],
  ['list', 'List'],
]);

/** Types and the country are suggested until a plan has been given. */
export function planOf({ status, columns, country_code }: ProfileImport): Plan {
  const country = columns.find(({ field }) => field === 'phone')?.suggested_country ?? null;
  return {
    fields: columns.map(({ field }) => field),
    types: columns.map(({ type, suggested_type: suggested }) => (status === 'ready' ? suggested : type)),
    country: status === 'ready' ? (country_code ?? country) : country_code,
  };
}

export function isSamePlan(one: Plan, other: Plan): boolean {
  const isSame = <T>(some: readonly T[], others: readonly T[]) => some.every((each, index) => each === others[index]);
  return one.country === other.country && isSame(one.fields, other.fields) && isSame(one.types, other.types);
}

export function requestOf({ fields, types, country }: Plan): ImportPlan {
  return { fields: [...fields], types: [...types], country_code: country };
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
export function findPlanProblem({ fields }: Plan): string | undefined {
  const used = fields.filter((field) => field !== null);
  if (!used.includes('phone')) return 'Choose the column that holds the phone number.';
  if (used.some((field) => isCustomField(field) && !isWellNamed(field))) return 'Give every custom field a name.';
  const twice = used.find((field, index) => used.indexOf(field) !== index);
  if (twice !== undefined) return `Two columns go to ${profileFieldLabels.get(twice) ?? twice}. Leave one of them out.`;
  return undefined;
}

function isWellNamed(field: string): boolean {
  const path = parseFieldPath(field);
  return path?.kind === 'custom' && path.keys.every((key) => key.trim() !== '');
}
