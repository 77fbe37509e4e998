import type { AccountContext } from '#server/context.ts';
import { inScope } from '#server/scope.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import type { Moment } from './rotation/daily-count.ts';
import type { PhoneRow } from './tables.ts';

export function momentOf({ clock, account }: AccountContext): Moment {
  return { now: clock.now(), timezone: account.timezone };
}

/** A phone that waits for its first scan has no number and is nobody's to see yet. */
export async function getPhone(ctx: AccountContext, phoneId: number): Promise<PhoneRow> {
  const row = await findPhone(ctx, phoneId);
  if (!row?.number) throw new NotFoundError('Phone number');
  return row;
}

export function findPhone(ctx: AccountContext, phoneId: number): Promise<PhoneRow | undefined> {
  return ctx.db
    .selectFrom('phones')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', phoneId)
    .where(inScope(ctx))
    .executeTakeFirst();
}
