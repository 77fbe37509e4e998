import { sql } from 'kysely';
import type { z } from 'zod';
import type { getSuppression as contract } from '#contracts/suppressions.ts';
import type { WrittenPerson } from '#contracts/new-message.ts';
import type { AccountContext } from '#server/context.ts';
import { requireInReach } from '#server/modules/audience/profiles/index.ts';
import type { SuppressionRow } from '#server/modules/audience/suppressions/index.ts';
import { presentLogLine, presentSuppression } from '../present.ts';
import { findNumber } from '../find-number.ts';

type Answer = z.output<(typeof contract)['response'][200]>;

const maxLogLines = 100;

export async function getSuppression(ctx: AccountContext, input: { phone: WrittenPerson }): Promise<Answer> {
  const phone = await findNumber(ctx, input.phone);
  await requireInReach(ctx, phone);
  const row = await findSuppression(ctx, phone);
  const log = await ctx.db
    .selectFrom('suppression_log')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('phone_key', '=', keyOf(phone))
    .orderBy('id', 'desc')
    .limit(maxLogLines)
    .execute();
  return {
    phone,
    opted_out: row !== undefined,
    suppression: row ? presentSuppression(row) : null,
    log: log.map(presentLogLine),
  };
}

export function findSuppression(ctx: AccountContext, phone: string): Promise<SuppressionRow | undefined> {
  return ctx.db
    .selectFrom('suppressions')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('phone_key', '=', keyOf(phone))
    .executeTakeFirst();
}

const keyOf = (phone: string) => sql<string>`phone_key(${phone}::text)`;
