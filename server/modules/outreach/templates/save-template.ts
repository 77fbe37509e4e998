import { sql } from 'kysely';
import type { NewSavedTemplate, SavedTemplate, SavedTemplateChange } from '#contracts/saved-templates.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { takeTurn } from '#server/platform/db/shared-names.ts';
import { ConflictError, NotFoundError } from '#server/platform/errors.ts';
import { presentTemplate } from './present.ts';

const maxTemplates = 1000;

/** Throws 409 `template_exists` for a name that is taken, and `template_limit` where the account has too many. */
export async function createTemplate(ctx: AccountContext, { name, message }: NewSavedTemplate): Promise<SavedTemplate> {
  return inTransaction(ctx, async (tx) => {
    await lockTemplates(tx);
    await requireFreeName(tx, name);
    const { count } = await tx.db
      .selectFrom('saved_templates')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('account_id', '=', tx.account.id)
      .executeTakeFirstOrThrow();
    if (count >= maxTemplates) {
      throw new ConflictError('template_limit', 'An account keeps at most 1,000 templates. Delete one first.');
    }
    const now = tx.clock.now();
    const row = await tx.db
      .insertInto('saved_templates')
      .values({ account_id: tx.account.id, name, message, created_at: now, updated_at: now })
      .returningAll()
      .executeTakeFirstOrThrow();
    return presentTemplate(row);
  });
}

type UpdateTemplate = { templateId: number; change: SavedTemplateChange };

/** Throws 409 `template_exists` for a name that another one has. */
export async function updateTemplate(
  ctx: AccountContext,
  { templateId, change: { name, message } }: UpdateTemplate,
): Promise<SavedTemplate> {
  return inTransaction(ctx, async (tx) => {
    await lockTemplates(tx);
    if (name !== undefined) await requireFreeName(tx, name, templateId);
    const row = await tx.db
      .updateTable('saved_templates')
      .set({
        ...(name !== undefined && { name }),
        ...(message !== undefined && { message }),
        updated_at: tx.clock.now(),
      })
      .where('account_id', '=', tx.account.id)
      .where('id', '=', templateId)
      .returningAll()
      .executeTakeFirst();
    if (!row) throw new NotFoundError('Template');
    return presentTemplate(row);
  });
}

/** Serializes changes within an account, so that a name and the number of templates are checked reliably. */
async function lockTemplates(tx: Tx<AccountContext>): Promise<void> {
  await takeTurn(tx.db, 'saved templates', tx.account.id);
}

async function requireFreeName(tx: AccountContext, name: string, ownId?: number): Promise<void> {
  const taken = await tx.db
    .selectFrom('saved_templates')
    .select('id')
    .where('account_id', '=', tx.account.id)
    .where(sql`lower(name)`, '=', sql`lower(${name})`)
    .executeTakeFirst();
  if (taken && taken.id !== ownId) {
    throw new ConflictError('template_exists', 'There is a template with this name already');
  }
}
