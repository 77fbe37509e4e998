import type { ColumnType } from '#contracts/column-types.ts';
import { parseFieldPath } from '#contracts/field-path.ts';
import type { FieldPath } from '#contracts/field-path.ts';
import type { ImportPlan } from '#contracts/profile-imports.ts';
import type { UnderstoodNumber } from '#contracts/understand-number.ts';
import type { AskedNumber } from '#server/modules/numbers/reading/index.ts';
import { isCountry } from '#server/modules/audience/profiles/index.ts';
import type { ProfilePhone } from '#server/modules/audience/profiles/index.ts';
import { InvalidInputError } from '#server/platform/errors.ts';

/** The part of a plan by which the cells of a row are told apart. */
export type OpeningPlan = {
  /** The purpose of each column. */
  fields: readonly (string | null)[];
  /** In which numbers that are not full numbers are read, where their row names no country. */
  country: string | null;
};

/** Assignable numbers of profiles, by their digits. */
export type HeldNumbers = ReadonlyMap<string, ProfilePhone>;

/** The rest, by which a row is read. */
export type ReadingPlan = Pick<OpeningPlan, 'fields'> & {
  /** Of the fields. */
  paths: readonly (FieldPath | undefined)[];
  /** Of each column; what is missing is text. */
  types?: readonly ColumnType[];
  /** Of each column, for what is said of its cells. */
  headers?: readonly string[];
  held: HeldNumbers;
  /** Says whose number it is, with what the account knows. */
  understand: (asked: AskedNumber) => UnderstoodNumber;
};

export const pathsOf = (fields: OpeningPlan['fields']): ReadingPlan['paths'] =>
  fields.map((field) => (field === null ? undefined : parseFieldPath(field)));

/** Throws 422 for a plan by which no row could be read. */
export function requireUsablePlan(
  { fields, types, country_code: country = null }: ImportPlan,
  columnCount: number,
): void {
  const refuse = (path: string, message: string) => {
    throw new InvalidInputError([{ path, message }]);
  };
  if (fields.length !== columnCount) refuse('fields', `The file has ${columnCount} columns`);
  if (types !== undefined && types.length !== columnCount) refuse('types', `The file has ${columnCount} columns`);
  if (!fields.includes('phone')) refuse('fields', 'Choose the column with the phone number');
  const chosen = fields.filter((field) => field !== null);
  const twice = chosen.find((field, index) => chosen.indexOf(field) !== index);
  if (twice !== undefined) refuse('fields', `Two columns go to ${twice}`);
  const paths = chosen.filter((field) => parseFieldPath(field)?.kind === 'custom');
  const outer = paths.find((path) => paths.some((other) => other.startsWith(`${path}.`)));
  if (outer !== undefined) refuse('fields', `${outer} cannot hold a value and other fields at once`);
  if (country !== null && !isCountry(country)) refuse('country_code', 'There is no country with this code');
}
