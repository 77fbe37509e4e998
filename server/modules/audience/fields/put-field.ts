import type { Field, FieldChange } from '#contracts/fields.ts';
import { parseFieldPath } from '#contracts/field-path.ts';
import type { FieldType } from '#contracts/field-types.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { takeTurn } from '#server/platform/db/shared-names.ts';
import { InvalidInputError } from '#server/platform/errors.ts';
import { listFields, stateOf } from './list-fields.ts';
import { retypeValues } from './type-values.ts';

const maxFields = 200;
const mostFound = 100;

type PutField = { path: string } & FieldChange;

/** Sets how conditions read a custom field. Throws 422 for a column, and beyond 200 typed fields. */
export async function putField(ctx: AccountContext, { path, type, label }: PutField): Promise<Field> {
  if (parseFieldPath(path)?.kind !== 'custom') {
    throw new InvalidInputError([
      { path: 'path', message: `${path} has a type of its own; only custom fields take one` },
    ]);
  }
  return inTransaction(ctx, async (tx) => {
    await lockTypes(tx);
    const rows = await tx.db
      .selectFrom('field_types')
      .select(['path', 'type', 'label', 'typed_at'])
      .where('account_id', '=', tx.account.id)
      .execute();
    const before = rows.find((row) => row.path === path);
    if (!before && rows.length >= maxFields) {
      throw new InvalidInputError([{ path: 'path', message: `An account has at most ${maxFields} typed fields` }]);
    }
    const after = {
      type,
      label: label === undefined ? (before?.label ?? null) : label,
      // A search that began before looks at everybody again.
      typed_at: before?.type === type ? before.typed_at : tx.clock.now(),
    };
    await tx.db
      .insertInto('field_types')
      .values({ account_id: tx.account.id, path, ...after })
      .onConflict((conflict) => conflict.columns(['account_id', 'path']).doUpdateSet(after))
      .execute();
    if ((before?.type ?? null) !== type) {
      await retypeValues(tx, { path, type });
      await tx.onDomainEvents(tx, [{ type: 'audiences.changed', accountId: tx.account.id, at: tx.clock.now() }]);
    }
    const { data } = await listFields(tx, { search: path, limit: mostFound });
    return (
      data.find((field) => field.path === path) ?? {
        path,
        label: after.label,
        type,
        types: [],
        samples: [],
        profiles: 0,
        ...stateOf(type, undefined),
      }
    );
  });
}

/** So that two at once do not pass the limit. */
async function lockTypes(tx: Tx<AccountContext>): Promise<void> {
  await takeTurn(tx.db, 'field types', tx.account.id);
}

/** Gives types to custom fields that never had one, as far as there is room for more. */
export async function giveTypes(
  tx: Tx<AccountContext>,
  given: readonly { path: string; type: FieldType }[],
): Promise<void> {
  if (given.length === 0) return;
  await lockTypes(tx);
  const rows = await tx.db.selectFrom('field_types').select('path').where('account_id', '=', tx.account.id).execute();
  const fresh = given
    .filter(({ path }) => rows.every((row) => row.path !== path))
    .slice(0, Math.max(0, maxFields - rows.length));
  for (const { path, type } of fresh) {
    await tx.db
      .insertInto('field_types')
      .values({ account_id: tx.account.id, path, type, label: null, typed_at: tx.clock.now() })
      .execute();
    await retypeValues(tx, { path, type });
  }
  if (fresh.length === 0) return;
  await tx.onDomainEvents(tx, [{ type: 'audiences.changed', accountId: tx.account.id, at: tx.clock.now() }]);
}
