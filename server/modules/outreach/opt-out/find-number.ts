import { sql } from 'kysely';
import type { WrittenPerson } from '#contracts/new-message.ts';
import { digitsOfWritten, isFullNumber } from '#contracts/understand-number.ts';
import { lidPrefix } from '#server/connectors/messaging/port.ts';
import type { AccountContext } from '#server/context.ts';
import { findNumberOfLid } from '#server/modules/messaging/messages/index.ts';
import { understandNumbers } from '#server/modules/numbers/reading/index.ts';
import { InvalidInputError } from '#server/platform/errors.ts';

/**
 * The full number, digits, that a look-up asks for: as it stands where it is on the list or was, else as it is understood.
 * A look-up of a number that is not clear finds nothing. Throws 422 for what is no number.
 */
export async function findNumber(ctx: AccountContext, asked: WrittenPerson): Promise<string> {
  if ('lid' in asked) return personOfLid(ctx, asked.lid);
  const { digits } = digitsOfWritten(asked.written);
  if (isFullNumber(digits) && (await isLogged(ctx, digits))) return digits;
  const [understood] = await understandNumbers(ctx, [asked]);
  const number = understood?.kind === 'clear' ? understood.number : digits;
  if (!isFullNumber(number)) throw new InvalidInputError([{ path: 'phone', message: 'Invalid number' }]);
  return number;
}

/** The number behind a LID where it is known, else `lid:` and the LID. */
export const personOfLid = async (ctx: AccountContext, lid: string): Promise<string> =>
  (await findNumberOfLid(ctx, lid)) ?? `${lidPrefix}${lid}`;

async function isLogged({ db, account }: AccountContext, phone: string): Promise<boolean> {
  const line = await db
    .selectFrom('suppression_log')
    .select('id')
    .where('account_id', '=', account.id)
    .where('phone_key', '=', sql<string>`phone_key(${phone}::text)`)
    .limit(1)
    .executeTakeFirst();
  return line !== undefined;
}
