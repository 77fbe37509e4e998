import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { AccountContext } from '#server/context.ts';
import { escapeLike } from '#server/platform/db/like.ts';
import { digitsToFind } from '#contracts/understand-number.ts';

/** The fewest characters of which the index finds parts. */
const partLength = 3;

/** Selects profiles whose number is on the list, or is not; undefined: all. Over `profiles`. */
export function optOutPredicate(ctx: AccountContext, optedOut: 'true' | 'false' | undefined): RawBuilder<boolean> {
  if (optedOut === undefined) return sql`true`;
  return sql`${optedOut === 'true' ? sql`` : sql`not`} exists (
    select from suppressions s where s.account_id = ${ctx.account.id} and s.phone_key = phone_key(profiles.phone))`;
}

/** The digits of what looks like a number. */
function digitsOfSearch(search: string): string | undefined {
  return /^[+\d\s\-().]*\d[\d\s\-().]*$/.test(search) ? digitsToFind(search) : undefined;
}

/** The pattern of a LIKE for numbers that a search finds; undefined where it looks for something else. */
export function numberPattern(search: string): string | undefined {
  const digits = digitsOfSearch(search);
  if (digits === undefined) return undefined;
  const isBegin = search.startsWith('+') || digits.length < partLength;
  return `${isBegin ? '' : '%'}${digits}%`;
}

/**
 * The SQL of a search over name, email and number, for a statement that reads `profiles`: case and accents do not
 * matter. Text that looks like a number is searched by its digits: from the beginning on when it starts with a plus.
 * Fewer than three characters find how a name, an email or a number begins, so that the index always serves.
 */
export function searchPredicate(search: string): RawBuilder<boolean> {
  const digits = digitsOfSearch(search);
  if (digits !== undefined && search.startsWith('+')) return sql`profiles.phone like ${`${digits}%`}`;
  const term = digits ?? search;
  const pattern = `${term.length < partLength ? '%\n' : '%'}${escapeLike(term)}%`;
  return sql`profile_folded_text(profiles.name, profiles.email, profiles.phone) like fold_text(${pattern})`;
}
