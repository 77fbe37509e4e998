import { sql } from 'kysely';
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
  await sql`
    update flows
       set pass_after = case when searched_until > ${since} then null else pass_after end,
           pass_until = least(pass_until, ${since}), searched_until = least(searched_until, ${since})
     where account_id = ${flow.account_id} and id = ${flow.id}
       and (searched_until is not null or pass_after is not null)
  `.execute(tx.db);
}

/** Opens the guards of those who were skipped at their turn, or closes them. Under the flow's lock. */
export async function releaseSkipped(tx: Tx, flow: FlowRow, handled: readonly Handled[]): Promise<void> {
  const idsOf = (isFree: boolean) =>
    handled.flatMap(({ profileId, outcome }) =>
      outcome.kind === 'skipped' && isOfProfile(outcome.reason) === isFree ? [profileId] : [],
    );
  const [free, had] = [idsOf(true), idsOf(false)];
  if (free.length > 0) {
    await sql`
      delete from flow_profiles
       where account_id = ${flow.account_id} and flow_id = ${flow.id} and profile_id = any(${free}::bigint[])
    `.execute(tx.db);
    await searchAgain(tx, flow);
  }
  if (had.length > 0) {
    await sql`
      update flow_profiles set last_at = ${tx.clock.now()}
       where account_id = ${flow.account_id} and flow_id = ${flow.id} and profile_id = any(${had}::bigint[])
    `.execute(tx.db);
  }
}
