import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { z } from 'zod';
import type { Profile, ProfileSort, listProfiles as contract } from '#contracts/profiles.ts';
import type { AccountContext } from '#server/context.ts';
import { countProfiles } from './count-profiles.ts';
import { presentProfiles } from './opt-out.ts';
import { optOutPredicate, searchPredicate } from './search-profiles.ts';

type ListProfiles = z.output<typeof contract.query>;
type Page = { data: Profile[]; total: number; page: number; pageSize: number };

/** Matches up to here are sorted; more are met soon enough on the way through the sorted index. */
const sortedMatches = 10_000;

const defaultOrder: Record<ProfileSort, 'asc' | 'desc'> = {
  id: 'desc',
  phone: 'asc',
  name: 'asc',
  created_at: 'desc',
  updated_at: 'desc',
};

export async function listProfiles(ctx: AccountContext, input: ListProfiles): Promise<Page> {
  const { page, pageSize, search = '', opted_out: optedOut, sort } = input;
  const isAll = search === '' && optedOut === undefined;
  const offset = (page - 1) * pageSize;
  const narrowing = sql<boolean>`(${search === '' ? sql`true` : searchPredicate(search)} and ${optOutPredicate(ctx, optedOut)})`;
  const total = isAll ? await countProfiles(ctx) : await countMatches(ctx, narrowing);
  if (offset >= total) return { data: [], total, page, pageSize };
  const direction = input.order ?? defaultOrder[sort];
  const key = sort === 'name' ? sql`lower(profiles.name)` : sql.ref(`profiles.${sort}`);
  const matching = ctx.db
    .selectFrom('profiles')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .$if(!isAll, (query) => query.where(narrowing))
    // Keeps the planner from walking the whole order in search of a few.
    .$if(!isAll && total <= sortedMatches, (query) => query.offset(0));
  const rows = await ctx.db
    .selectFrom(matching.as('profiles'))
    .selectAll()
    .orderBy(key, direction)
    .orderBy('id', direction)
    .limit(pageSize)
    .offset(offset)
    .execute();
  return { data: await presentProfiles(ctx, rows), total, page, pageSize };
}

async function countMatches(ctx: AccountContext, narrowing: RawBuilder<boolean>): Promise<number> {
  const { total } = await ctx.db
    .selectFrom('profiles')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('account_id', '=', ctx.account.id)
    .where(narrowing)
    .executeTakeFirstOrThrow();
  return total;
}
