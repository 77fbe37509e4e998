import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { BulkResource } from '#contracts/bulk-actions.ts';
import type { AccountContext } from '#server/context.ts';

/** SQL, over rows `s`: not among those whose deletion waits a moment for an undo. Lists are without them already. */
export function notLeaving({ account }: AccountContext, resource: BulkResource): RawBuilder<boolean> {
  return sql<boolean>`s.id <> all (array(
    select each from bulk_actions leaving cross join lateral unnest(leaving.ids) as each
     where leaving.account_id = ${account.id} and leaving.resource = ${resource} and leaving.action = 'delete'
       and leaving.status = 'working' and leaving.starts_at is not null
  ))`;
}
