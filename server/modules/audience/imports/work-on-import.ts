import { sql } from 'kysely';
import { digitsOfWritten, isFullNumber } from '#contracts/understand-number.ts';
import type { Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import {
  findFacts,
  findProfiles,
  insertProfiles,
  lockProfiles,
  phoneKey,
  phoneOf,
  saveManyFacts,
  updateProfiles,
} from '#server/modules/audience/profiles/index.ts';
import type { KnownProfile, ProfileFacts } from '#server/modules/audience/profiles/index.ts';
import { numberReader } from '#server/modules/numbers/reading/index.ts';
import { isDataError, isTransient } from '#server/platform/db/errors.ts';
import { inSavepoint } from '#server/platform/db/savepoint.ts';
import { ProblemError } from '#server/platform/errors.ts';
import { splitBatch } from '#server/platform/split-batch.ts';
import { announceImport } from './announce-import.ts';
import { claimNumbers } from './claim-numbers.ts';
import { pathsOf } from './import-plan.ts';
import { outcomeOf, parseRows } from './import-rows.ts';
import type { CellNote, FileRow, RowResult, StoredOutcome } from './import-rows.ts';
import { mergeRow } from './merge-row.ts';
import type { Merge } from './merge-row.ts';
import type { ImportRecord } from './present.ts';
import { heldNumber, openRow, readRow } from './read-row.ts';
import type { ReadRow } from './read-row.ts';
import { followOptOuts, followTopics, refuseTakenIds } from './what-rows-say.ts';
import type { Candidate } from './what-rows-say.ts';

/** The import that was worked on, and what went wrong with it; undefined when there is none to work on. */
export type WorkDone = { record: ImportRecord; fault: unknown } | undefined;

/** Counts a row that the database refuses; `row` is its number in the file, from 1. */
export type ParkRow = (error: unknown, about: { accountId: number; importId: number; row: number }) => void;

const refusedReason = 'The row cannot be stored: one of its values is too long, or of a kind that is not accepted';

/**
 * Takes the next chunk of the import that has waited longest, in one transaction: its profiles, its report and how far
 * the import has come are there together or not at all, so that whoever goes on after a crash repeats nothing. The lock
 * on the import keeps other processes at others.
 */
export async function workOnImport(ctx: Context, park: ParkRow): Promise<WorkDone> {
  let record: ImportRecord | undefined;
  try {
    await inTransaction(ctx, async (tx) => {
      // A chunk that a crash of the database takes back is simply next again.
      await sql`set local synchronous_commit = off`.execute(tx.db);
      record = await lockNextImport(tx);
      if (record) await workOnChunk(tx, record, park);
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

async function workOnChunk(tx: Tx, record: ImportRecord, park: ParkRow): Promise<void> {
  const chunk = await tx.db
    .selectFrom('profile_import_chunks')
    .select(['rows', 'first_row'])
    .where('account_id', '=', record.account_id)
    .where('import_id', '=', record.id)
    .where('number', '=', record.next_chunk)
    .executeTakeFirstOrThrow();
  const rows = parseRows(chunk.rows).map((fileRow, index) => ({ fileRow, number: chunk.first_row + index }));
  const updated = new Set<number>();
  const settled = await splitBatch(rows, (part) =>
    inSavepoint(tx.db, () => processRows(tx, { record, updated }, part)),
  );
  const refusals = settled.flatMap((result, index) =>
    result.status === 'rejected' ? [{ error: result.reason as unknown, row: chunk.first_row + index }] : [],
  );
  const isOurs = ({ error }: { error: unknown }) => isTransient(error) || error instanceof ProblemError;
  // When all rows fail, the fault lies in the work, unless the database says that it lies in the values.
  const fault =
    refusals.find(isOurs) ?? (refusals.length === rows.length && refusals.find((each) => !isDataError(each.error)));
  if (fault) throw fault.error;
  for (const { error, row } of refusals) park(error, { accountId: record.account_id, importId: record.id, row });
  const results = settled.map((result) =>
    result.status === 'fulfilled' ? result.value : { outcome: { reason: refusedReason }, notes: [] },
  );
  await saveProgress(tx, { record, updated }, results);
}

type NumberedRow = { fileRow: FileRow; number: number };

/** `updated` gathers the profiles that the chunk changes; those that it makes are announced by themselves. */
type Chunk = { record: ImportRecord; updated: Set<number> };

/** The outcomes of the rows, in order. */
async function processRows(tx: Tx, chunk: Chunk, rows: readonly NumberedRow[]): Promise<RowResult[]> {
  const { record } = chunk;
  const { fields, types, columns, country_code: country } = record;
  const opened = rows.map(({ fileRow, number }) => ({ number, row: openRow(fileRow, { fields, country }) }));
  const asked = opened.flatMap(({ row }) => (row.kind === 'opened' ? [row.asked] : []));
  const digits = asked.map(({ written }) => digitsOfWritten(written).digits);
  const people = await findProfiles(tx, record.account_id, digits.filter(isFullNumber));
  const valid = [...people.values()].filter(({ phone_is_valid }) => phone_is_valid);
  const held = new Map(valid.map((profile) => [profile.phone, phoneOf(profile)]));
  const others = asked.filter((each) => !heldNumber(each, held));
  const understand = await numberReader({ db: tx.db, account: { id: record.account_id } }, others);
  const headers = columns.map(({ header }) => header);
  const plan = { fields, paths: pathsOf(fields), types, headers, held, understand };
  const outcomes = new Map<number, StoredOutcome>();
  const notes = new Map<number, readonly CellNote[]>();
  const readable: Candidate[] = [];
  for (const { number, row } of opened) {
    const reading = row.kind === 'opened' ? readRow(row, plan) : row;
    if (reading.kind === 'read') {
      readable.push({ number, row: reading.row });
      notes.set(number, reading.notes);
    } else outcomes.set(number, { reason: reading.reason });
  }
  const numbers = readable.map(({ number, row }) => ({ phone: phoneKey(row.phone.phone), row: number }));
  const firstRows = await claimNumbers(tx, record, numbers);
  const own = readable.filter(({ number, row }) => {
    const first = firstRows.get(phoneKey(row.phone.phone));
    if (first === number) return true;
    outcomes.set(number, { reason: `Row ${first} has the same number` });
    return false;
  });
  const refused = await refuseTakenIds(tx, record, own);
  for (const [number, reason] of refused) outcomes.set(number, { reason });
  const candidates = own.filter(({ number }) => !refused.has(number));
  const decisions = await applyRows(tx, chunk, candidates, people);
  for (const [number, merge] of decisions) {
    outcomes.set(number, merge.kind === 'invalid' ? { reason: merge.reason } : merge.kind);
  }
  const further = [
    ...(await followOptOuts(tx, record, candidates, decisions)),
    ...(await followTopics(tx, record, candidates, decisions)),
  ];
  for (const number of further) if (outcomes.get(number) === 'skipped') outcomes.set(number, 'updated');
  return rows.flatMap(({ number }) => {
    const outcome = outcomes.get(number);
    if (outcome === undefined) return [];
    return { outcome, notes: outcomeOf(outcome) === 'invalid' ? [] : (notes.get(number) ?? []) };
  });
}

/** Decides about each row and, unless this is a check, writes what was decided. `people`: who was found already. */
async function applyRows(
  tx: Tx,
  { record, updated: changed }: Chunk,
  candidates: readonly Candidate[],
  people: ReadonlyMap<string, KnownProfile>,
): Promise<Map<number, Merge>> {
  const decisions = new Map<number, Merge>();
  const account = { db: tx.db, account: { id: record.account_id } };
  const hasFacts = candidates.some(({ row }) => Object.keys(row.facts).length > 0);
  const find = (of: readonly Candidate[]) =>
    findProfiles(
      tx,
      record.account_id,
      of.map(({ row }) => row.phone.phone),
    );
  const decide = async (of: readonly Candidate[], found: ReadonlyMap<string, KnownProfile>) => {
    const ids = hasFacts ? Array.from(found.values(), ({ id }) => id) : [];
    const facts = await findFacts(account, ids);
    for (const { number, row } of of) {
      const profile = found.get(keyOf(row));
      decisions.set(number, mergeRow(profile, row, profile && facts.get(profile.id)));
    }
  };
  const decided = <Kind extends Merge['kind']>(of: readonly Candidate[], kind: Kind) =>
    of.flatMap((candidate) => {
      const merge = decisions.get(candidate.number);
      return merge?.kind === kind ? [{ ...candidate, merge: merge as Extract<Merge, { kind: Kind }> }] : [];
    });

  let open = candidates;
  let found = new Map([...people, ...(await find(open.filter(({ row }) => !people.has(keyOf(row)))))]);
  // A profile that another call creates in between is met in a second round.
  while (open.length > 0) {
    await decide(open, found);
    if (record.status === 'checking') break;
    // Unchanged profiles need no lock. A row whose profile was changed before it was locked is decided again.
    const changing = decided(open, 'updated');
    const keys = changing.map(({ row }) => keyOf(row));
    const asFound = await lockProfiles(tx, record.account_id, { found, keys });
    const again = changing.filter(({ row }) => hasFacts || !asFound.has(keyOf(row)));
    await decide(again, await find(again));
    const creating = decided(open, 'new');
    const updating = decided(open, 'updated');
    const created = await insertProfiles(tx, record.account_id, valuesOf(creating));
    await updateProfiles(tx, record.account_id, valuesOf(updating));
    for (const { merge } of updating) changed.add(merge.values.id);
    const made = creating.filter(({ row }) => created.has(row.phone.phone));
    await saveManyFacts(tx, record.account_id, factsOf([...made, ...updating]));
    open = creating.filter(({ row }) => !created.has(row.phone.phone));
    found = await find(open);
  }
  return decisions;
}

const keyOf = ({ phone }: ReadRow) => phoneKey(phone.phone);

const valuesOf = <Values>(decided: readonly { merge: { values: Values } }[]) =>
  decided.map(({ merge }) => merge.values);

function factsOf(decided: readonly { merge: { values: { phone: string }; facts?: ProfileFacts } }[]) {
  return decided.flatMap(({ merge: { values, facts } }) => (facts ? [{ ...facts, phone: values.phone }] : []));
}

async function saveProgress(tx: Tx, { record, updated }: Chunk, results: readonly RowResult[]): Promise<void> {
  const outcomes = results.map(({ outcome }) => outcome);
  const count = (outcome: string) => outcomes.filter((stored) => outcomeOf(stored) === outcome).length;
  const noted = results.flatMap(({ notes }, index) => (notes.length > 0 ? [[String(index), notes] as const] : []));
  const counts = {
    new_rows: count('new'),
    updated_rows: count('updated'),
    skipped_rows: count('skipped'),
    invalid_rows: count('invalid'),
    noted_rows: noted.length,
  };
  await tx.db
    .updateTable('profile_import_chunks')
    .set({
      outcomes: JSON.stringify(outcomes),
      notes: noted.length > 0 ? JSON.stringify(Object.fromEntries(noted)) : null,
      ...counts,
    })
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
      noted_rows: record.noted_rows + counts.noted_rows,
      unread_cells: JSON.stringify(countUnread(record, results)),
      worked_at: now,
      ...(isLast && { status: record.status === 'checking' ? 'checked' : 'completed', finished_at: now }),
    })
    .where('account_id', '=', record.account_id)
    .where('id', '=', record.id)
    .execute();
  if (isLast && record.status === 'importing') await announceImport(tx, record);
  if (record.status === 'checking' || counts.new_rows + counts.updated_rows === 0) return;
  const source = { accountId: record.account_id, at: now };
  await tx.onDomainEvents(tx, [{ ...source, type: 'profiles.changed', profileIds: [...updated] }]);
}

/** How many cells of each column have been left out so far. */
function countUnread({ columns, unread_cells: before }: ImportRecord, results: readonly RowResult[]): number[] {
  const counts = columns.map((_, column) => before[column] ?? 0);
  for (const { column } of results.flatMap(({ notes }) => notes)) counts[column] = (counts[column] ?? 0) + 1;
  return counts;
}
