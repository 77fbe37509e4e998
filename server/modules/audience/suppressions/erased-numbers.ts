import { createHmac, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { numberForms } from '#contracts/understand-number.ts';
import type { Context, Tx } from '#server/context.ts';
import { resealRows } from '#server/platform/reseal-rows.ts';
import { processPart } from '#server/process-part.ts';
import { suppressNumbers } from './suppress-numbers.ts';

type Known = { key: Buffer | undefined; readAt: number };

/** An account without a key may get one in another process. */
const noKeyForMs = 5_000;

const keys = processPart(() => new Map<number, Known>());

const sealContext = (accountId: number) => `account:${accountId}:erasure`;

async function keyOf(ctx: Context, accountId: number): Promise<Buffer | undefined> {
  const known = keys(ctx).get(accountId);
  if (known && (known.key || performance.now() - known.readAt < noKeyForMs)) return known.key;
  const row = await ctx.db
    .selectFrom('erasure_keys')
    .select('key_sealed')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  const key = row && Buffer.from(ctx.secrets.open(row.key_sealed, sealContext(accountId)), 'base64');
  keys(ctx).set(accountId, { key, readAt: performance.now() });
  return key;
}

async function makeKey(tx: Tx, accountId: number): Promise<Buffer> {
  const known = await keyOf(tx, accountId);
  if (known) return known;
  const fresh = tx.secrets.seal(randomBytes(32).toString('base64'), sealContext(accountId));
  await tx.db
    .insertInto('erasure_keys')
    .values({ account_id: accountId, key_sealed: fresh })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  keys(tx).delete(accountId);
  const key = await keyOf(tx, accountId);
  // The transaction may yet be rolled back: the next one reads it again.
  keys(tx).delete(accountId);
  if (!key) throw new Error('The key of an account is gone');
  return key;
}

/** The same for all forms of a number. */
const fingerprintOf = (key: Buffer, number: string) =>
  createHmac('sha256', key)
    .update(numberForms(number).toSorted()[0] ?? number)
    .digest();

/** Which of these numbers are of people who were erased, and are left alone for good. */
export async function findErased(
  ctx: Context,
  accountId: number,
  numbers: readonly string[],
): Promise<ReadonlySet<string>> {
  const key = numbers.length === 0 ? undefined : await keyOf(ctx, accountId);
  if (!key) return new Set();
  const fingerprints = new Map(numbers.map((number) => [fingerprintOf(key, number).toString('hex'), number]));
  const { rows } = await sql<{ fingerprint: string }>`
    select encode(fingerprint, 'hex') as fingerprint from erased_numbers
     where account_id = ${accountId}
       and fingerprint = any (array(select decode(x, 'hex') from unnest(${[...fingerprints.keys()]}::text[]) x))
  `.execute(ctx.db);
  const found = new Set(rows.map((row) => row.fingerprint));
  return new Set(numbers.filter((number) => found.has(fingerprintOf(key, number).toString('hex'))));
}

/**
 * Forgets a number: whatever names it goes, and a fingerprint stays that keeps it opted out. `forms` are all ways in
 * which it may be written. Answers the fingerprint, hexadecimal.
 */
export async function eraseNumber(
  tx: Tx,
  { accountId, number, forms }: { accountId: number; number: string; forms: readonly string[] },
): Promise<string> {
  const fingerprint = fingerprintOf(await makeKey(tx, accountId), number);
  await tx.db
    .insertInto('erased_numbers')
    .values({ account_id: accountId, fingerprint, erased_at: tx.clock.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const isOfNumber = sql<boolean>`phone_key in (select phone_key(x) from unnest(${forms}::text[]) x)`;
  await tx.db.deleteFrom('suppressions').where('account_id', '=', accountId).where(isOfNumber).execute();
  await tx.db.deleteFrom('marketing_stops').where('account_id', '=', accountId).where(isOfNumber).execute();
  await tx.db.deleteFrom('opt_out_confirmations').where('account_id', '=', accountId).where(isOfNumber).execute();
  return fingerprint.toString('hex');
}

/** Profiles that get the number of somebody who was erased: the number is known again, and stays opted out. */
export async function suppressErased(
  tx: Tx,
  { accountId, profileIds }: { accountId: number; profileIds: readonly number[] },
): Promise<void> {
  if (!(await keyOf(tx, accountId))) return;
  const { rows } = await sql<{ phone: string }>`
    select phone from profiles where account_id = ${accountId} and id = any(${profileIds}::bigint[])
  `.execute(tx.db);
  const erased = await findErased(
    tx,
    accountId,
    rows.map(({ phone }) => phone),
  );
  const note = 'They asked to be forgotten before the contact was made anew';
  const numbers = rows.filter(({ phone }) => erased.has(phone)).map(({ phone }) => ({ phone, note }));
  await suppressNumbers(tx, { accountId, numbers, by: 'user' });
}

export function resealErasureKeys(ctx: Context): Promise<number> {
  return resealRows({
    first: 0,
    // account-wide: every account's key.
    read: (after, limit) =>
      ctx.db
        .selectFrom('erasure_keys')
        .selectAll()
        .where('account_id', '>', after)
        .orderBy('account_id')
        .limit(limit)
        .execute(),
    keyOf: ({ account_id: id }) => id,
    async reseal({ account_id: id, key_sealed: before }) {
      const sealed = ctx.secrets.reseal(before, sealContext(id));
      if (!sealed) return 'current';
      await ctx.db.updateTable('erasure_keys').set({ key_sealed: sealed }).where('account_id', '=', id).execute();
      return 'resealed';
    },
  });
}
