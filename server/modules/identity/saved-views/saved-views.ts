import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { NewSavedView, SavedView, ViewedList } from '#contracts/saved-views.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { takeTurn } from '#server/platform/db/shared-names.ts';
import { InvalidInputError, NotFoundError } from '#server/platform/errors.ts';
import { scopeOf } from '#server/scope.ts';
import type { SavedViewTables } from './tables.ts';

const maxPerList = 50;

function present({ id, list, name, search, created_at }: Selectable<SavedViewTables['saved_views']>): SavedView {
  return { id, list, name, search, created_at: created_at.toISOString() };
}

/** None for a member who is narrowed to projects: what a view looks for may be of any. */
export async function listSavedViews(ctx: AccountContext, { list }: { list: ViewedList }): Promise<SavedView[]> {
  if (scopeOf(ctx).projectIds !== null) return [];
  const rows = await ctx.db
    .selectFrom('saved_views')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('list', '=', list)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute();
  return rows.map(present);
}

/** Throws 422 where the list has fifty, or one of this name. */
export async function createSavedView(ctx: AccountContext, input: NewSavedView): Promise<SavedView> {
  return inTransaction(ctx, async (tx) => {
    await lockViews(tx);
    const views = await listSavedViews(tx, input);
    if (views.length >= maxPerList) {
      throw new InvalidInputError([{ path: 'list', message: 'A list has at most 50 saved views. Delete one first.' }]);
    }
    requireFreeName(views, input.name);
    const { list, name, search } = input;
    const now = tx.clock.now();
    const row = await tx.db
      .insertInto('saved_views')
      .values({ account_id: tx.account.id, list, name, search, created_at: now, updated_at: now })
      .returningAll()
      .executeTakeFirstOrThrow();
    return present(row);
  });
}

type ViewChange = { viewId: number; name?: string | undefined; search?: string | undefined };

/** Throws 422 for a name that another view of the list has. */
export async function updateSavedView(ctx: AccountContext, { viewId, name, search }: ViewChange): Promise<SavedView> {
  return inTransaction(ctx, async (tx) => {
    await lockViews(tx);
    const row = await tx.db
      .updateTable('saved_views')
      .set({
        updated_at: tx.clock.now(),
        ...(name !== undefined && { name }),
        ...(search !== undefined && { search }),
      })
      .where('account_id', '=', tx.account.id)
      .where('id', '=', viewId)
      .returningAll()
      .executeTakeFirst();
    if (!row) throw new NotFoundError('View');
    const others = (await listSavedViews(tx, row)).filter(({ id }) => id !== viewId);
    requireFreeName(others, row.name);
    return present(row);
  });
}

export async function deleteSavedView(ctx: AccountContext, { viewId }: { viewId: number }): Promise<void> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('saved_views')
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', viewId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw new NotFoundError('View');
}

/** Serializes changes within an account, so that the names and the number of views are checked reliably. */
async function lockViews(tx: Tx<AccountContext>): Promise<void> {
  await takeTurn(tx.db, 'saved views', tx.account.id);
}

function requireFreeName(views: readonly SavedView[], name: string): void {
  if (views.some((view) => view.name.toLowerCase() === name.toLowerCase())) {
    throw new InvalidInputError([{ path: 'name', message: 'This list has a view of that name already' }]);
  }
}
