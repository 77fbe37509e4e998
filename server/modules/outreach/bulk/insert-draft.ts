import type { Insertable } from 'kysely';
import type { AccountContext, Tx } from '#server/context.ts';
import { setRules } from '#server/modules/audience/topics/index.ts';
import type { BulkRunTables } from './tables.ts';

type Draft = Pick<
  Insertable<BulkRunTables['bulk_runs']>,
  'project_id' | 'name' | 'message' | 'media' | 'template' | 'delay_ms' | 'total_count' | 'stored_bytes'
> & { columns: readonly string[]; topicId: number | null };

/** A run of which nothing is sent before it is started, as yet without its rows. Answers its id. */
export async function insertDraft(tx: Tx<AccountContext>, { columns, topicId, ...draft }: Draft): Promise<number> {
  const now = tx.clock.now();
  const { id } = await tx.db
    .insertInto('bulk_runs')
    .values({
      ...draft,
      account_id: tx.account.id,
      status: 'draft',
      waiting_for: null,
      waiting_until: null,
      columns: JSON.stringify(columns),
      last_fed_at: null,
      created_at: now,
      updated_at: now,
      started_at: null,
      finished_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await setRules(tx, { source: 'bulk_run', sourceId: id }, { given: { topic_id: topicId } });
  return id;
}
