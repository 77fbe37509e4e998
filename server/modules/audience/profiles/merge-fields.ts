import { CustomFields } from '#contracts/profiles.ts';
import { InvalidInputError } from '#server/platform/errors.ts';

type Fields = Record<string, unknown> | null;

/** Custom fields one level deep: what is not named stays, null deletes. Throws 422 at `path` for too much of them. */
export function mergeFields(before: Fields, named: Fields, path: string): Fields {
  if (named === null) return null;
  const deleted = new Set(Object.keys(named).filter((key) => named[key] === null));
  const kept = Object.entries({ ...before, ...named }).filter(([key]) => !deleted.has(key));
  // No fields at all stay so: a change without effect writes nothing.
  if (before === null && kept.length === 0) return null;
  const merged = Object.fromEntries(kept);
  const problem = CustomFields.safeParse(merged).error?.issues[0]?.message;
  if (problem !== undefined) throw new InvalidInputError([{ path, message: problem }]);
  return merged;
}
