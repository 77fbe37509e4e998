import type { Tx } from '#server/context.ts';
import { findHolders, phoneKey } from '#server/modules/audience/profiles/index.ts';
import { suppressNumbers, withoutKnown } from '#server/modules/audience/suppressions/index.ts';
import { newWords, noteConsents } from '#server/modules/audience/topics/index.ts';
import { claimNumbers } from './claim-numbers.ts';
import type { Merge } from './merge-row.ts';
import type { ImportRecord } from './present.ts';
import type { ReadRow } from './read-row.ts';

/** A row that has a number of its own; `number` is its place in the file. */
export type Candidate = { number: number; row: ReadRow };

/** Puts numbers on the list where their rows say so, unless this is a check. Answers the rows of those who are new there. */
export async function followOptOuts(
  tx: Tx,
  { account_id: accountId, status }: ImportRecord,
  candidates: readonly Candidate[],
  decisions: ReadonlyMap<number, Merge>,
): Promise<number[]> {
  const optingOut = candidates.flatMap(({ number, row }) => {
    const merge = decisions.get(number);
    return merge && 'optsOut' in merge && merge.optsOut ? [{ number, phone: row.phone.phone }] : [];
  });
  const numbers = await withoutKnown(tx, accountId, optingOut);
  if (status !== 'checking') await suppressNumbers(tx, { accountId, numbers, by: 'import' });
  return numbers.map(({ number }) => number);
}

/** An external id is one person's: of another contact, or of an earlier row, it costs the row. */
export async function refuseTakenIds(
  tx: Tx,
  record: ImportRecord,
  candidates: readonly Candidate[],
): Promise<Map<number, string>> {
  const named = candidates.flatMap(({ number, row }) => {
    const id = row.facts.external_id;
    return id ? [{ number, id, phone: row.phone.phone }] : [];
  });
  // Beside the numbers of the file, which are digits.
  const keyOf = (id: string) => `external_id ${id}`;
  const claims = named.map(({ number, id }) => ({ phone: keyOf(id), row: number }));
  const firstRows = await claimNumbers(tx, record, claims);
  const holders = await findHolders(
    tx,
    record.account_id,
    named.map(({ id }) => id),
  );
  return new Map(
    named.flatMap(({ number, id, phone }): [number, string][] => {
      const first = firstRows.get(keyOf(id));
      if (first !== number) return [[number, `Row ${first} has the same external id`]];
      const holder = holders.get(id);
      const isOwn = holder === undefined || phoneKey(holder) === phoneKey(phone);
      return isOwn ? [] : [[number, `The external id is that of +${holder}`]];
    }),
  );
}

/** Notes what the rows say of topics, unless this is a check. Answers the rows of whom it changes something. */
export async function followTopics(
  tx: Tx,
  { account_id: accountId, status, file_name: fileName }: ImportRecord,
  candidates: readonly Candidate[],
  decisions: ReadonlyMap<number, Merge>,
): Promise<number[]> {
  const said = candidates.flatMap(({ number, row }) =>
    decisions.get(number)?.kind === 'invalid'
      ? []
      : row.topics.map((topic) => ({ number, phone: row.phone.phone, ...topic })),
  );
  const words = await newWords(tx, accountId, said);
  if (status !== 'checking') {
    const note = fileName === null ? 'Import' : `Import of ${fileName}`;
    const evidence = { actor: null, text: null, address: null };
    await noteConsents(tx, { accountId, words, by: 'import', at: tx.clock.now(), note, evidence });
  }
  return words.map(({ number }) => number);
}
