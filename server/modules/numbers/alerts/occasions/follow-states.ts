import { sql } from 'kysely';
import type { Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { notify } from '#server/platform/db/notify.ts';
import { alertsChannel } from '../channels.ts';
import { endFirstContactDays } from './alert-first-contacts.ts';
import { endWhere } from './end-alerts.ts';
import { listedAtOnce, momentKinds } from './occasion.ts';
import { announceAlerts, raiseFrom } from './raise-alerts.ts';
import { statesAt } from './states.ts';
import type { State } from './states.ts';

const dayMs = 86_400_000;
/** How long what has happened is shown unless somebody takes it off. */
const momentsStandMs = 7 * dayMs;

/**
 * Brings the alerts of all accounts in line with how things stand: what stands so raises one, what no longer does ends
 * it. Nothing is lost with a process that dies, as the next round finds the same.
 */
export async function followStates(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  for (const state of statesAt(now)) await inTransaction(ctx, (tx) => followState(tx, state));
  await inTransaction(ctx, async (tx) => {
    const old = new Date(now.getTime() - momentsStandMs);
    const ended = await endWhere(
      tx,
      sql`a.kind = any(${momentKinds}::text[]) and a.began_at < ${old}::timestamptz`,
      sql`false`,
    );
    await announceAlerts(tx, [...ended, ...(await endFirstContactDays(tx))]);
    // A mail may have become due since the round before.
    await notify(tx.db, [{ channel: alertsChannel, payload: '' }]);
  });
}

async function followState(tx: Tx, { kind, standing, isOver }: State): Promise<void> {
  const raised = await raiseFrom(
    tx,
    sql`select account_id, project_id, ${kind}::text as kind, subject_id, facts, began_at, due_at
          from (${standing}) as s`,
  );
  const ended = await endWhere(
    tx,
    sql`a.kind = ${kind} and not exists (select from (${standing}) as s
         where s.account_id = a.account_id and s.subject_id = a.subject_id)`,
    isOver,
  );
  await announceAlerts(tx, [...raised, ...ended]);
}

/** Alerts that no list has are removed after a day; the rest is listed for 30. */
export async function removeOldAlerts(ctx: Context): Promise<void> {
  const ago = (days: number) => new Date(ctx.clock.now().getTime() - days * dayMs);
  // account-wide: time alone decides, whosever they are.
  await ctx.db
    .deleteFrom('alerts')
    .where('next_attempt_at', 'is', null)
    .where((where) =>
      where.or([
        where('ended_at', '<', ago(30)),
        where.and([
          where('ended_at', '<', ago(1)),
          where('told_at', 'is', null),
          where('due_at', '>', where.ref('ended_at')),
          where('kind', 'not in', [...listedAtOnce]),
        ]),
      ]),
    )
    .execute();
}
