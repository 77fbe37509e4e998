import type { TestNumber } from '#contracts/accounts.ts';
import type { UserContext } from '#server/context.ts';

export async function getTestNumber({ db, actor }: UserContext): Promise<TestNumber> {
  const row = await db
    .selectFrom('test_numbers')
    .select('phone')
    .where('user_id', '=', actor.userId)
    .executeTakeFirst();
  return { phone: row?.phone ?? null };
}

/** Of the person, in whatever account they work. */
export async function setTestNumber({ db, actor }: UserContext, { phone }: TestNumber): Promise<TestNumber> {
  if (phone === null) await db.deleteFrom('test_numbers').where('user_id', '=', actor.userId).execute();
  else {
    await db
      .insertInto('test_numbers')
      .values({ user_id: actor.userId, phone })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ phone }))
      .execute();
  }
  return { phone };
}
