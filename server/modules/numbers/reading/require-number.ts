import { sql } from 'kysely';
import { commonCountries, isFullNumber, readingsIn } from '#contracts/understand-number.ts';
import type { UnderstoodNumber } from '#contracts/understand-number.ts';
import type { AccountContext } from '#server/context.ts';
import { InvalidInputError, ProblemError } from '#server/platform/errors.ts';
import { numberPlans } from '#server/platform/number-plans.ts';
import { understandNumbers } from './understand-numbers.ts';

/** `path` is the field that an error is about. */
type Required = { written: string; path: string };

/**
 * The full number, digits, that somebody wrote. Throws 422 `number_not_clear` with suggestions where nobody can say whose
 * it is, and 422 `invalid_input` where it is no number.
 */
export async function requireNumber(ctx: AccountContext, required: Required): Promise<string> {
  const [number] = await requireNumbers(ctx, [required]);
  if (number === undefined) throw new Error('A number was neither read nor refused');
  return number;
}

/** Like `requireNumber`, of many; throws for the first that is refused. */
export async function requireNumbers(ctx: AccountContext, required: readonly Required[]): Promise<string[]> {
  const understood = await understandNumbers(ctx, required);
  const numbers: string[] = [];
  for (const [index, asked] of required.entries()) {
    const each = understood[index];
    if (each?.kind !== 'clear') throw refusalOfNumber(asked, each, await findSuggestionCountries(ctx));
    numbers.push(each.number);
  }
  return numbers;
}

/** Why a number that is not clear is refused; `countries` are tried for suggestions, in their order. */
export function refusalOfNumber(
  { written, path }: Required,
  understood: Exclude<UnderstoodNumber, { kind: 'clear' }> | undefined,
  countries: readonly string[],
): ProblemError {
  const invalid = new InvalidInputError([{ path, message: 'Invalid number' }]);
  if (understood?.kind !== 'not_clear') return invalid;
  const suggestions = readingsIn({ written, countries, limit: maxSuggestions }, numberPlans).map(
    ({ number }) => `+${number}`,
  );
  if (suggestions.length === 0 && !isFullNumber(understood.number)) return invalid;
  const [likeliest] = suggestions;
  const message = `Not clear which country this number is of: write it with + and the country${likeliest === undefined ? '' : `, such as ${likeliest}`}`;
  return new ProblemError(422, 'number_not_clear', message, { errors: [{ path, message }], suggestions });
}

const maxSuggestions = 5;

/** Enough to know the countries of an account's numbers. */
const sampleSize = 1000;

/** The countries of the account's phones, then of its latest contacts, the commonest first, then common ones. */
export async function findSuggestionCountries({ db, account }: AccountContext): Promise<string[]> {
  const { rows } = await sql<{ numbers: string[]; countries: string[] }>`
    select array(select number from phones where account_id = ${account.id} and number is not null
                  order by id limit ${sampleSize}) as numbers,
           array(select country_code
                   from (select country_code from profiles where account_id = ${account.id}
                          order by id desc limit ${sampleSize}) as latest
                  where country_code is not null
                  group by country_code order by count(*) desc, country_code) as countries
  `.execute(db);
  const ofPhones = (rows[0]?.numbers ?? []).flatMap((number) => numberPlans.read(`+${number}`)?.country ?? []);
  return [...new Set([...byFrequency(ofPhones), ...(rows[0]?.countries ?? []), ...commonCountries])];
}

function byFrequency(countries: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const country of countries) counts.set(country, (counts.get(country) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([country]) => country);
}
