import { sql } from 'kysely';
import type { AccountContext, Tx } from '#server/context.ts';
import { deleteProfiles, phoneKey, restoreProfiles, tagProfiles } from '#server/modules/audience/profiles/index.ts';
import { liftSuppressions, suppressNumbers } from '#server/modules/audience/suppressions/index.ts';
import type { BulkChange, BulkRecord, ChunkResult } from './record.ts';

const fullMessage = 'It has 50 tags already';

/** Does the action to these profiles; whoever is gone meanwhile is left out. */
export async function changeProfiles(
  tx: Tx<AccountContext>,
  { action, tags }: BulkRecord,
  ids: readonly number[],
): Promise<ChunkResult> {
  switch (action) {
    case 'tag':
    case 'untag': {
      const change = action === 'tag' ? { ids, add: tags } : { ids, remove: tags };
      const { tagged, full } = await tagProfiles(tx, change);
      return {
        changes: tagged.map(({ id, tags: changed }) => ({ item_id: id, tags: changed, phone: null })),
        failures: full.map((id) => ({ id, message: fullMessage })),
      };
    }
    case 'opt_out':
      return { changes: await optOut(tx, ids), failures: [] };
    case 'delete': {
      const deleted = await deleteProfiles(tx, ids);
      return {
        changes: deleted.map(({ id, profile }) => ({ item_id: id, tags: null, phone: null, item: profile })),
        failures: [],
      };
    }
    default:
      throw new Error(`Profiles have no bulk action ${action}`);
  }
}

async function optOut(tx: Tx<AccountContext>, ids: readonly number[]): Promise<BulkChange[]> {
  const { rows } = await sql<{ id: number; phone: string }>`
    select id, phone from profiles where account_id = ${tx.account.id} and id = any(${ids}::bigint[])
  `.execute(tx.db);
  const added = await suppressNumbers(tx, { accountId: tx.account.id, numbers: rows, by: 'user' });
  return rows
    .filter(({ phone }) => added.has(phoneKey(phone)))
    .map(({ id, phone }) => ({ item_id: id, tags: null, phone }));
}

/** Takes back what the action changed of these profiles. Answers how many are as they were again. */
export async function undoProfiles(
  tx: Tx<AccountContext>,
  { action }: BulkRecord,
  changes: readonly BulkChange[],
): Promise<number> {
  if (action === 'delete')
    return restoreProfiles(
      tx,
      changes.flatMap(({ item }) => (item ? [item] : [])),
    );
  if (action === 'opt_out') {
    const phones = changes.flatMap(({ phone }) => phone ?? []);
    const reason = 'Undone: opted out by mistake, together with others';
    // A person who has asked for it since stays on the list.
    const lift = { accountId: tx.account.id, phones, by: 'user', reason, onlyOf: 'user' } as const;
    const lifted = await liftSuppressions(tx, lift);
    return phones.filter((phone) => lifted.has(phoneKey(phone))).length;
  }
  let undone = 0;
  const byTags = Map.groupBy(changes, ({ tags }) => JSON.stringify(tags ?? []));
  for (const [key, same] of byTags) {
    const tags = JSON.parse(key) as string[];
    const ids = same.map(({ item_id: id }) => id);
    const { tagged } = await tagProfiles(tx, action === 'tag' ? { ids, remove: tags } : { ids, add: tags });
    undone += tagged.length;
  }
  return undone;
}
