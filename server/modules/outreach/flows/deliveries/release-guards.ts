import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Tx } from '#server/context.ts';
import type { Handled, SkipReason } from '#server/modules/outreach/recipients/index.ts';
import type { FlowRow } from '../tables.ts';

/** Correcting the profile lets the flow take it on anew; after a fault of the message, and beyond the caps, it counts as served. */
const isOfProfile = (reason: SkipReason) =>
  reason !== 'empty_message' && reason !== 'message_too_long' && reason !== 'capped';

const minutesBack = 5;

/**
 * A run that was searching meanwhile may have passed somebody over whose guard was closed still, though the profile had
 * been put right already: what has changed lately is looked at once more.
 */
async function searchAgain(tx: Tx, flow: FlowRow): Promise<void> {
  const since = new Date(tx.clock.now().getTime() - minutesBack * 60_000);
  await searchSince(tx, flow, since);
}

async function searchSince(tx: Tx, flow: FlowRow, since: Date): Promise<void> {
  await sql`
    update flows
       set pass_after = case when searched_until > ${since} then null else pass_after end,
           pass_until = least(pass_until, ${since}), searched_until = least(searched_until, ${since})
     where account_id = ${flow.account_id} and id = ${flow.id}
       and (searched_until is not null or pass_after is not null)
  `.execute(tx.db);
}

/** Profiles whose guards have been opened, and the numbers that these stood for. */
type Freed = { free: readonly number[]; phoneKeys: readonly string[] };

/**
 * Somebody who was deleted and added anew, or merged into another profile, was passed over as long as the message to
 * their number waited, however long that was: the flow leaves its candidates aside for once, and searches at once.
 */
async function searchOthersOf(tx: Tx, flow: FlowRow, { phoneKeys, free }: Freed): Promise<void> {
  const having = (twins: RawBuilder<unknown>) => sql`
    select updated_at from profiles
     where account_id = ${flow.account_id} and phone_key(phone) = any(${phoneKeys}::text[])
       and id <> all(${free}::bigint[]) and ${twins}`;
  const { rows } = await sql<{ since: Date | null }>`
    select min(updated_at) as since
      from (${having(sql`not is_twin`)} union all ${having(sql`is_twin`)}) as others
  `.execute(tx.db);
  const since = rows[0]?.since ?? null;
  if (since === null) return;
  await searchSince(tx, flow, since);
  const now = tx.clock.now();
  await sql`
    update flows set followed_as = null, next_run_at = least(next_run_at, greatest(paced_until, ${now}))
     where account_id = ${flow.account_id} and id = ${flow.id} and is_active
  `.execute(tx.db);
}

/** Opens the guards of those who were skipped at their turn, or closes them. Under the flow's lock. */
export async function releaseSkipped(tx: Tx, flow: FlowRow, handled: readonly Handled[]): Promise<void> {
  const idsOf = (isFree: boolean) =>
    handled.flatMap(({ profileId, outcome }) =>
      outcome.kind === 'skipped' && isOfProfile(outcome.reason) === isFree ? (profileId ?? []) : [],
    );
  const [free, had] = [idsOf(true), idsOf(false)];
  if (free.length > 0) {
    const { rows } = await sql<{ phone_key: string | null }>`
      delete from flow_profiles
       where account_id = ${flow.account_id} and flow_id = ${flow.id} and profile_id = any(${free}::bigint[])
      returning phone_key
    `.execute(tx.db);
    await searchAgain(tx, flow);
    await searchOthersOf(tx, flow, { free, phoneKeys: rows.flatMap(({ phone_key: key }) => key ?? []) });
  }
  if (had.length > 0) {
    await sql`
      update flow_profiles set last_at = ${tx.clock.now()}
       where account_id = ${flow.account_id} and flow_id = ${flow.id} and profile_id = any(${had}::bigint[])
    `.execute(tx.db);
  }
}
