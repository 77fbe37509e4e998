import { isDeepStrictEqual } from 'node:util';
import type { CellValue } from '#contracts/column-types.ts';
import { maxTags, sortedTags } from '#contracts/profile-tags.ts';
import { CustomFields } from '#contracts/profiles.ts';
import { cellText, isObject, noFacts, valueAt } from '#server/modules/audience/profiles/index.ts';
import type { ChangedProfile, ProfileFacts, ProfileValues } from '#server/modules/audience/profiles/index.ts';
import { saysOptedOut } from '#server/modules/audience/suppressions/index.ts';
import type { ReadRow } from './read-row.ts';

export type Merge =
  | { kind: 'new'; values: ProfileValues; facts?: ProfileFacts; optsOut?: boolean }
  | { kind: 'updated'; values: ChangedProfile; facts?: ProfileFacts; optsOut?: boolean }
  | { kind: 'skipped'; optsOut?: boolean }
  | { kind: 'invalid'; reason: string };

/**
 * Merges a row into the profile with its number, or into a new one. Empty cells leave what is there, and so does a cell
 * that spells the stored value: the same file a second time changes nothing. `optsOut`: the row says that the number is
 * to be left alone, or the profile comes to say so. `facts`: those that the profile has from then on, where they change.
 */
export function mergeRow(before: ChangedProfile | undefined, row: ReadRow, factsBefore: ProfileFacts = noFacts): Merge {
  const custom = mergeCustomFields(before?.custom_fields ?? null, row.custom);
  const problem = custom.isChanged && CustomFields.safeParse(custom.fields).error?.issues[0]?.message;
  if (problem) return { kind: 'invalid', reason: problem };
  const tags = sortedTags([...(before?.tags ?? []), ...row.tags]);
  const hasMore = tags.length > (before?.tags.length ?? 0);
  if (hasMore && tags.length > maxTags) return { kind: 'invalid', reason: `A profile takes at most ${maxTags} tags` };
  const merged = { ...factsBefore, ...row.facts };
  const hasOtherFacts = !isDeepStrictEqual(merged, { ...factsBefore });
  const facts = hasOtherFacts ? { facts: merged } : {};
  if (!before) {
    const { phone, name = null, email = null, status = 'active' } = row;
    const values = { ...phone, name, email, status, tags, custom_fields: custom.fields };
    return { kind: 'new', values, ...facts, ...optingOut(row.isOptedOut || saysOptedOut(values)) };
  }
  const values: ChangedProfile = {
    ...before,
    name: row.name ?? before.name,
    email: row.email ?? before.email,
    status: row.status ?? before.status,
    tags,
    custom_fields: custom.fields,
  };
  const isSame =
    !custom.isChanged &&
    !hasMore &&
    !hasOtherFacts &&
    values.name === before.name &&
    values.email === before.email &&
    values.status === before.status;
  if (isSame) return { kind: 'skipped', ...optingOut(row.isOptedOut) };
  const comesToSaySo = saysOptedOut(values) && !saysOptedOut(before);
  return { kind: 'updated', values, ...facts, ...optingOut(row.isOptedOut || comesToSaySo) };
}

const optingOut = (optsOut: boolean) => (optsOut ? { optsOut } : {});

type Fields = Record<string, unknown> | null;

function mergeCustomFields(before: Fields, cells: ReadRow['custom']): { fields: Fields; isChanged: boolean } {
  const news = cells.filter(({ keys, value }) => !isStored(valueAt(before, keys), value));
  const fields = news.reduce<Fields>((merged, { keys, value }) => withValue(merged ?? {}, keys, value), before);
  return { fields, isChanged: news.length > 0 };
}

/** A text that spells the stored value changes nothing; a typed value takes the place of a text that spells it. */
const isStored = (stored: unknown, value: CellValue): boolean =>
  typeof value === 'string' ? cellText(stored) === value : isDeepStrictEqual(stored, value);

function withValue(object: Record<string, unknown>, keys: readonly string[], leaf: CellValue): Record<string, unknown> {
  const [key = '', ...rest] = keys;
  const inner = Object.hasOwn(object, key) && isObject(object[key]) ? object[key] : {};
  const value = rest.length === 0 ? leaf : withValue(inner, rest, leaf);
  // A computed key, so that `__proto__` is a field like any other.
  return { ...object, [key]: value };
}
