import type { Selectable } from 'kysely';
import type { SavedView, ViewedList } from '#contracts/saved-views.ts';
import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { InvalidInputError, NotFoundError } from '#server/platform/errors.ts';
import type { SavedViewTables } from './tables.ts';

const mostOfAList = 50;

function present({ id, list, name, search, created_at }: Selectable<SavedViewTables['saved_views']>): SavedView {
  return { id, list, name, search, created_at: created_at.toISOString() };
}

export async function listSavedViews(ctx: AccountContext, { list }: { list: ViewedList }): Promise<SavedView[]> {
  const rows = await ctx.db
    .selectFrom('saved_views')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('list', '=', list)
    .orderBy('name')
    .orderBy('id')
    .execute();
  return rows.map(present);
}

type NewView = { list: ViewedList; name: string; search: string };

/** Throws 422 where the list has fifty. */
export async function createSavedView(ctx: AccountContext, input: NewView): Promise<SavedView> {
  return inTransaction(ctx, async (tx) => {
    if ((await listSavedViews(tx, input)).length >= mostOfAList) {
      throw new InvalidInputError([{ path: 'list', message: 'A list has at most 50 saved views' }]);
    }
    const now = tx.clock.now();
    const row = await tx.db
      .insertInto('saved_views')
      .values({ ...input, account_id: tx.account.id, created_at: now, updated_at: now })
      .returningAll()
      .executeTakeFirstOrThrow();
    return present(row);
  });
}

type ViewChange = { viewId: number; name?: string | undefined; search?: string | undefined };

export async function updateSavedView(ctx: AccountContext, { viewId, name, search }: ViewChange): Promise<SavedView> {
  const row = await ctx.db
    .updateTable('saved_views')
    .set({
      updated_at: ctx.clock.now(),
      ...(name !== undefined && { name }),
      ...(search !== undefined && { search }),
    })
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', viewId)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw new NotFoundError('View');
  return present(row);
}

export async function deleteSavedView(ctx: AccountContext, { viewId }: { viewId: number }): Promise<void> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('saved_views')
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', viewId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw new NotFoundError('View');
}
