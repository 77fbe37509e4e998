import type { ColumnType } from '#contracts/column-types.ts';
import { parseFieldPath } from '#contracts/field-path.ts';
import { typeOfColumn } from '#contracts/field-types.ts';
import type { FieldType } from '#contracts/field-types.ts';
import { topicOfField } from '#contracts/profile-imports.ts';
import type { ProfileImport } from '#contracts/profile-imports.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { notify } from '#server/platform/db/notify.ts';
import { longStatementMs, setStatementTimeout } from '#server/platform/db/timeouts.ts';
import { giveTypes } from '#server/modules/audience/fields/index.ts';
import { findTopicsOf } from '#server/modules/audience/topics/index.ts';
import { endAlerts } from '#server/modules/numbers/alerts/index.ts';
import { ConflictError, InvalidInputError, NotFoundError } from '#server/platform/errors.ts';
import { requireUsablePlan } from './import-plan.ts';
import { presentImport } from './present.ts';
import { importsChannel } from './channels.ts';

/** A change of the plan; fields left out stay as the import has them. */
type PlanChange = {
  fields?: (string | null)[] | undefined;
  types?: ColumnType[] | undefined;
  country_code?: string | null | undefined;
};

type StartImport = { importId: number; status: 'checking' | 'importing'; plan: PlanChange };

/**
 * Has the import checked or run in the background, from its first row on. Throws 409 `import_running` while it is under
 * way already; one that has completed may run again, and then skips what it has done.
 */
export async function startImport(
  ctx: AccountContext,
  { importId, status, plan }: StartImport,
): Promise<ProfileImport> {
  return inTransaction(ctx, async (tx) => {
    const before = await tx.db
      .selectFrom('profile_imports')
      .selectAll()
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', importId)
      .where('status', '!=', 'uploading')
      .forUpdate()
      .executeTakeFirst();
    if (!before) throw new NotFoundError('Import');
    if (before.status === 'checking' || before.status === 'importing') {
      throw new ConflictError('import_running', 'This import is under way already');
    }
    const { fields = before.fields, types, country_code = before.country_code } = plan;
    requireUsablePlan({ fields, types, country_code }, before.columns.length);
    await requireTopics(tx, fields);
    if (status === 'importing') await giveTypes(tx, typesOf(fields, types ?? before.types));
    await forgetOutcomes(tx, importId);
    await endAlerts(tx, [{ accountId: ctx.account.id, kind: 'import_done', subjectId: importId }], { isOver: false });
    const after = await tx.db
      .updateTable('profile_imports')
      .set({
        status,
        fields: JSON.stringify(fields),
        ...(types !== undefined && { types: JSON.stringify(types) }),
        country_code,
        next_chunk: 0,
        processed_rows: 0,
        new_rows: 0,
        updated_rows: 0,
        skipped_rows: 0,
        invalid_rows: 0,
        noted_rows: 0,
        unread_cells: '[]',
        error: null,
        finished_at: null,
        worked_at: ctx.clock.now(),
      })
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', importId)
      .returningAll()
      .executeTakeFirstOrThrow();
    await notify(tx.db, [{ channel: importsChannel, payload: '' }]);
    return presentImport(after);
  });
}

async function requireTopics(tx: Tx<AccountContext>, fields: readonly (string | null)[]): Promise<void> {
  const ids = fields.flatMap((field) => (field === null ? [] : (topicOfField(field) ?? [])));
  const found = await findTopicsOf(tx, ids);
  const missing = ids.find((id) => !found.has(id));
  if (missing !== undefined) {
    throw new InvalidInputError([{ path: 'fields', message: `There is no topic ${missing}` }]);
  }
}

/** The types that the columns give to custom fields. */
function typesOf(
  fields: readonly (string | null)[],
  types: readonly ColumnType[],
): { path: string; type: FieldType }[] {
  return fields.flatMap((path, index) => {
    const type = typeOfColumn[types[index] ?? 'text'];
    return path !== null && type !== null && parseFieldPath(path)?.kind === 'custom' ? [{ path, type }] : [];
  });
}

async function forgetOutcomes(tx: Tx<AccountContext>, importId: number): Promise<void> {
  await setStatementTimeout(tx.db, longStatementMs);
  await tx.db
    .deleteFrom('profile_import_numbers')
    .where('account_id', '=', tx.account.id)
    .where('import_id', '=', importId)
    .execute();
  await tx.db
    .updateTable('profile_import_chunks')
    .set({ outcomes: null, notes: null, new_rows: 0, updated_rows: 0, skipped_rows: 0, invalid_rows: 0, noted_rows: 0 })
    .where('account_id', '=', tx.account.id)
    .where('import_id', '=', importId)
    .where('outcomes', 'is not', null)
    .execute();
}
