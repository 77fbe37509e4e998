import { sql } from 'kysely';
import type { Context, Tx } from '#server/context.ts';
import type { DomainEvent } from '#server/domain-events.ts';
import { anyLength } from '#server/platform/db/any-length.ts';
import { notify } from '#server/platform/db/notify.ts';
import { flowNotification } from './channels.ts';
import type { FlowSignal } from './channels.ts';

export type Cause = Extract<FlowSignal, { kind: 'profiles' | 'access' | 'phones' | 'found' }>;

function causeOf(event: DomainEvent): Cause | undefined {
  switch (event.type) {
    case 'profiles.changed':
    case 'contacts.opted_in':
    case 'topics.opted_in':
      return { kind: 'profiles', accountId: event.accountId, isQueued: true };
    case 'access.opened':
    case 'access.closed':
      return { kind: 'access', accountId: event.accountId };
    case 'phone.connected':
      return { kind: 'phones', accountId: event.accountId };
    case 'phone.health_changed':
      return event.change === 'other' ? undefined : { kind: 'phones', accountId: event.accountId };
    case 'message.returned':
      return event.flowId === null ? undefined : { kind: 'phones', accountId: event.accountId };
    default:
      return undefined;
  }
}

/**
 * Notifies the workers that the flows of accounts have a reason to search again, where there are any: a change of a
 * profile reads nothing to find out. The notification locks no flow: the transaction in which it happens has other rows
 * locked.
 */
export async function announceToFlows(tx: Tx, events: readonly DomainEvent[]): Promise<void> {
  const causes = new Map(
    events.flatMap((event) => causeOf(event) ?? []).map((cause) => [JSON.stringify(cause), cause]),
  );
  await notify(tx.db, [...causes.values()].map(flowNotification));
}

/**
 * Makes what the accounts' flows are to do by themselves due now, a run as soon as the last one's cost allows. Flows
 * that go by candidates run for those alone, unless people changed whom a process of an earlier version did not queue.
 */
export async function wakeFlows(ctx: Context, causes: readonly Cause[]): Promise<void> {
  const now = ctx.clock.now();
  const accountsOf = (...wanted: readonly Cause[][]) => wanted.flat().map(({ accountId }) => accountId);
  const of = (kind: Cause['kind']) => causes.filter((cause) => cause.kind === kind);
  const changes = causes.filter((cause) => cause.kind === 'profiles');
  const unqueued = changes.filter(({ isQueued }) => !isQueued);
  const found = causes.flatMap((cause) => (cause.kind === 'found' ? [cause.flowId] : []));
  await sql`
    /* prepared: wake-flows */
    with sooner as (
      select account_id, id, greatest(paced_until, ${now}) as run_at,
             account_id = any(${anyLength(accountsOf(of('access'), unqueued), 'bigint')})
               or account_id = any(${anyLength(accountsOf(changes), 'bigint')}) and followed_as is null
               or id = any(${anyLength(found, 'bigint')}) as runs,
             account_id = any(${anyLength(accountsOf(of('phones'), of('access')), 'bigint')}) as feeds,
             account_id = any(${anyLength(accountsOf(unqueued), 'bigint')}) as searches
        from flows
       where account_id = any(${anyLength(accountsOf([...causes]), 'bigint')})
         and (next_run_at > greatest(paced_until, ${now}) or next_feed_at > ${now}
              or followed_as is not null and account_id = any(${anyLength(accountsOf(unqueued), 'bigint')}))
       order by account_id, id
         for update
    )
    update flows f
       set next_run_at = case when runs and f.is_active then least(f.next_run_at, run_at) else f.next_run_at end,
           next_feed_at = case when feeds and f.next_feed_at is not null then least(f.next_feed_at, ${now})
                               else f.next_feed_at end,
           followed_as = case when searches then null else f.followed_as end
      from sooner
     where f.account_id = sooner.account_id and f.id = sooner.id
       and (runs and f.next_run_at > run_at or feeds and f.next_feed_at > ${now} or searches)
  `.execute(ctx.db);
}
