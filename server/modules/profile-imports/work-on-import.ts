import { sql } from 'kysely';
import type { Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { phoneKey } from '#server/modules/profiles/index.ts';
import type { ProfileRow, ProfileValues } from '#server/modules/profiles/index.ts';
import { claimNumbers } from './claim-numbers.ts';
import { outcomeOf, parseRows } from './import-rows.ts';
import type { FileRow, StoredOutcome } from './import-rows.ts';
import { mergeRow } from './merge-row.ts';
import type { Merge } from './merge-row.ts';
import type { ImportRecord } from './present.ts';
import { readRow } from './read-row.ts';
import type { ReadRow } from './read-row.ts';
import { findProfiles, insertProfiles, lockProfiles, updateProfiles } from './save-rows.ts';

/** The import that was worked on, and what went wrong with it; undefined when there is none to work on. */
export type WorkDone = { record: ImportRecord; fault: unknown } | undefined;

/**
 * Takes the next chunk of the import that has waited longest, in one transaction: its profiles, its report and how far
 * the import has come are there together or not at all, so that whoever goes on after a crash repeats nothing. The lock
 * on the import keeps other processes at others.
 */
export async function workOnImport(ctx: Context): Promise<WorkDone> {
  let record: ImportRecord | undefined;
  try {
    await inTransaction(ctx, async (tx) => {
      // A chunk that a crash of the database takes back is simply next again.
      await sql`set local synchronous_commit = off`.execute(tx.db);
      record = await lockNextImport(tx);
      if (record) await workOnChunk(tx, record);
    });
  } catch (fault) {
    if (!record) throw fault;
    return { record, fault };
  }
  return record && { record, fault: undefined };
}

/** Of the account that was served longest ago, however many imports it has under way. */
// account-wide: a worker serves the imports of all accounts.
function lockNextImport(tx: Tx): Promise<ImportRecord | undefined> {
  return tx.db
    .selectFrom('profile_imports')
    .selectAll()
    .where('status', 'in', ['checking', 'importing'])
    .orderBy((eb) =>
      eb
        .selectFrom('profile_imports as own')
        .select(({ fn }) => fn.max('own.worked_at').as('served_at'))
        .whereRef('own.account_id', '=', 'profile_imports.account_id')
        .where('own.status', 'in', ['checking', 'importing']),
    )
    .orderBy('worked_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
}

async function workOnChunk(tx: Tx, record: ImportRecord): Promise<void> {
  const chunk = await tx.db
    .selectFrom('profile_import_chunks')
    .select(['rows', 'first_row'])
    .where('account_id', '=', record.account_id)
    .where('import_id', '=', record.id)
    .where('number', '=', record.next_chunk)
    .executeTakeFirstOrThrow();
  const outcomes = await processRows(tx, record, parseRows(chunk.rows), chunk.first_row);
  await saveProgress(tx, record, outcomes);
}

type Candidate = { index: number; row: ReadRow };

async function processRows(
  tx: Tx,
  record: ImportRecord,
  rows: readonly FileRow[],
  firstRow: number,
): Promise<StoredOutcome[]> {
  const plan = { fields: record.fields, country: record.country_code };
  const outcomes: StoredOutcome[] = [];
  const readable: Candidate[] = [];
  rows.forEach((fileRow, index) => {
    const reading = readRow(fileRow, plan);
    if (reading.kind === 'read') readable.push({ index, row: reading.row });
    else outcomes[index] = { reason: reading.reason };
  });
  const numbers = readable.map(({ index, row }) => ({ phone: phoneKey(row.phone.phone), row: firstRow + index }));
  const firstRows = await claimNumbers(tx, record, numbers);
  const candidates = readable.filter(({ index, row }) => {
    const first = firstRows.get(phoneKey(row.phone.phone));
    if (first === firstRow + index) return true;
    outcomes[index] = { reason: `Row ${first} has the same number` };
    return false;
  });
  for (const [index, merge] of await applyRows(tx, record, candidates)) {
    outcomes[index] = merge.kind === 'invalid' ? { reason: merge.reason } : merge.kind;
  }
  return outcomes;
}

/** Decides about each row and, unless this is a check, writes what was decided. */
async function applyRows(tx: Tx, record: ImportRecord, candidates: readonly Candidate[]): Promise<Map<number, Merge>> {
  const decisions = new Map<number, Merge>();
  const decide = (of: readonly Candidate[], before: ReadonlyMap<string, ProfileRow>) => {
    for (const { index, row } of of) decisions.set(index, mergeRow(before.get(phoneKey(row.phone.phone)), row));
  };
  const decided = (of: readonly Candidate[], kind: Merge['kind']) =>
    of.filter(({ index }) => decisions.get(index)?.kind === kind);

  let open = candidates;
  // A profile that another call creates in between is met in a second round.
  while (open.length > 0) {
    decide(open, await findProfiles(tx, record.account_id, phonesOf(open)));
    if (record.status === 'checking') break;
    // What changes is decided about again once it is locked; what stays as it is needs no lock.
    const changing = decided(open, 'updated');
    decide(changing, await lockProfiles(tx, record.account_id, phonesOf(changing)));
    const creating = decided(open, 'new');
    const created = await insertProfiles(tx, record.account_id, valuesOf(creating, decisions));
    await updateProfiles(tx, record.account_id, valuesOf(decided(open, 'updated'), decisions));
    open = creating.filter(({ row }) => !created.has(row.phone.phone));
  }
  return decisions;
}

const phonesOf = (candidates: readonly Candidate[]) => candidates.map(({ row }) => row.phone.phone);

function valuesOf(candidates: readonly Candidate[], decisions: ReadonlyMap<number, Merge>): ProfileValues[] {
  return candidates.flatMap(({ index }) => {
    const merge = decisions.get(index);
    return merge && 'values' in merge ? [merge.values] : [];
  });
}

async function saveProgress(tx: Tx, record: ImportRecord, outcomes: readonly StoredOutcome[]): Promise<void> {
  const count = (outcome: string) => outcomes.filter((stored) => outcomeOf(stored) === outcome).length;
  const counts = {
    new_rows: count('new'),
    updated_rows: count('updated'),
    skipped_rows: count('skipped'),
    invalid_rows: count('invalid'),
  };
  await tx.db
    .updateTable('profile_import_chunks')
    .set({ outcomes: JSON.stringify(outcomes), ...counts })
    .where('account_id', '=', record.account_id)
    .where('import_id', '=', record.id)
    .where('number', '=', record.next_chunk)
    .execute();
  const isLast = record.next_chunk + 1 >= record.chunk_count;
  const now = tx.clock.now();
  await tx.db
    .updateTable('profile_imports')
    .set({
      next_chunk: record.next_chunk + 1,
      processed_rows: record.processed_rows + outcomes.length,
      new_rows: record.new_rows + counts.new_rows,
      updated_rows: record.updated_rows + counts.updated_rows,
      skipped_rows: record.skipped_rows + counts.skipped_rows,
      invalid_rows: record.invalid_rows + counts.invalid_rows,
      worked_at: now,
      ...(isLast && { status: record.status === 'checking' ? 'checked' : 'completed', finished_at: now }),
    })
    .where('account_id', '=', record.account_id)
    .where('id', '=', record.id)
    .execute();
  if (record.status === 'checking' || counts.new_rows + counts.updated_rows === 0) return;
  await tx.onDomainEvents(tx, [{ type: 'profiles.changed', accountId: record.account_id, at: now }]);
}
