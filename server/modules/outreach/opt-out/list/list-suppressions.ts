import { sql } from 'kysely';
import type { z } from 'zod';
import type { Suppression, listSuppressions as contract } from '#contracts/suppressions.ts';
import type { AccountContext } from '#server/context.ts';
import { digitsToFind } from '#contracts/understand-number.ts';
import { presentSuppression } from '../present.ts';

type ListSuppressions = z.output<typeof contract.query>;
type Page = { data: Suppression[]; next_cursor: string | null };

/** A page begins after the last entry of the one before, so that what is added meanwhile shifts nothing. */
export async function listSuppressions(ctx: AccountContext, input: ListSuppressions): Promise<Page> {
  const { search = '', by, after, limit } = input;
  const digits = digitsToFind(search);
  if (search !== '' && digits === '') return { data: [], next_cursor: null };
  const rows = await ctx.db
    .selectFrom('suppressions')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .$if(digits !== '', (query) =>
      query.where('phone', 'like', search.startsWith('+') ? `${digits}%` : sql<string>`${`%${digits}%`}`),
    )
    .$if(by !== undefined, (query) => query.where('source', '=', by ?? 'user'))
    .$if(after !== undefined, (query) => query.where('id', '<', after ?? 0))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const page = rows.slice(0, limit);
  const isMore = rows.length > limit;
  return { data: page.map(presentSuppression), next_cursor: isMore ? String(page.at(-1)?.id ?? '') : null };
}
