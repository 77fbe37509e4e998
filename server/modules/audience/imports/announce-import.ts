import type { Tx } from '#server/context.ts';
import { raiseAlerts } from '#server/modules/numbers/alerts/index.ts';
import type { ImportRecord } from './present.ts';
import { presentImport } from './present.ts';

/** A user who looks on sees its report within this time, and needs no mail. */
const seenWithinMs = 2 * 60_000;

/** Tells that an import is over, in the transaction that ended it. */
export async function announceImport(tx: Tx, { account_id: accountId, id }: ImportRecord): Promise<void> {
  const row = await tx.db
    .selectFrom('profile_imports')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (row.status !== 'completed' && row.status !== 'failed') return;
  const { columns: _, ...data } = presentImport(row);
  const { counts } = data;
  const now = tx.clock.now();
  await tx.onDomainEvents(tx, [{ type: 'import.completed', accountId, at: now, data }]);
  await raiseAlerts(tx, [
    {
      kind: 'import_done',
      accountId,
      projectId: null,
      subjectId: id,
      facts: { file: row.file_name, status: row.status, counts, error: row.error },
      beganAt: now,
      dueAt: new Date(now.getTime() + seenWithinMs),
    },
  ]);
}
