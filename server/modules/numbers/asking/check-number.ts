import { sql } from 'kysely';
import type { CheckedNumber } from '#contracts/phone-answers.ts';
import type { PhoneText } from '#contracts/phone-numbers.ts';
import type { AccountContext, Context } from '#server/context.ts';
import { getPhone } from '#server/modules/numbers/phones/index.ts';
import { requireNumber } from '#server/modules/numbers/reading/index.ts';
import { askPhone } from './ask-phone.ts';

const thereMs = 24 * 60 * 60_000;
const notThereMs = 60 * 60_000;

/**
 * Whether a number is on WhatsApp, as the phone's network says: asked once a day, or once an hour where it was not.
 * Throws 429 `look_ups_used_up`, and as `askPhone`.
 */
export async function checkNumber(
  ctx: AccountContext,
  input: { phoneId: number; number: PhoneText },
): Promise<CheckedNumber> {
  const phone = await getPhone(ctx, input.phoneId);
  const number = await requireNumber(ctx, { ...input.number, path: 'number' });
  const known = await findCheck(ctx, phone.id, number);
  if (known) return known;
  const { exists, lid, ...answer } = await askPhone<'check'>(ctx, phone, { kind: 'check', number });
  const checked = { exists, number: answer.number, ...(lid !== null && { lid }) };
  await keepCheck(ctx, { phoneId: phone.id, asked: number, checked });
  return checked;
}

async function findCheck(ctx: AccountContext, phoneId: number, number: string): Promise<CheckedNumber | undefined> {
  const row = await ctx.db
    .selectFrom('number_checks')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('phone_id', '=', phoneId)
    .where('phone_key', '=', keyOf(number))
    .executeTakeFirst();
  if (!row) return undefined;
  const ageMs = ctx.clock.now().getTime() - row.checked_at.getTime();
  if (ageMs > (row.is_there ? thereMs : notThereMs)) return undefined;
  return { exists: row.is_there, number: row.number, ...(row.lid !== null && { lid: row.lid }) };
}

const keyOf = (number: string) => sql<string>`phone_key(${number})`;

type Kept = { phoneId: number; asked: string; checked: CheckedNumber };

async function keepCheck(ctx: AccountContext, { phoneId, asked, checked }: Kept): Promise<void> {
  const facts = {
    is_there: checked.exists,
    number: checked.number,
    lid: checked.lid ?? null,
    checked_at: ctx.clock.now(),
  };
  await ctx.db
    .insertInto('number_checks')
    .values({ account_id: ctx.account.id, phone_id: phoneId, phone_key: keyOf(asked), ...facts })
    .onConflict((conflict) => conflict.columns(['phone_id', 'phone_key']).doUpdateSet(facts))
    .execute();
}

const removedAtOnce = 5_000;

/** Forgets answers that are asked for again anyway. */
export async function removeOldChecks(ctx: Context): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - thereMs);
  await sql`
    delete from number_checks c
     -- account-wide: time alone decides, whosever they are.
     using (select phone_id, phone_key from number_checks where checked_at < ${before} limit ${removedAtOnce}) old
     where c.phone_id = old.phone_id and c.phone_key = old.phone_key
  `.execute(ctx.db);
}

/** Forgets what phones were told of a person's numbers, by their keys. */
export async function forgetChecks(
  { db }: Context,
  { accountId, phoneKeys }: { accountId: number; phoneKeys: readonly string[] },
): Promise<void> {
  await db
    .deleteFrom('number_checks')
    .where('account_id', '=', accountId)
    .where('phone_key', 'in', phoneKeys)
    .execute();
}
