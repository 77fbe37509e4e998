import type { Selectable } from 'kysely';
import { AlertKind } from '#contracts/alerts.ts';
import type { Alert } from '#contracts/alerts.ts';
import type { Permission } from '#contracts/permissions.ts';
import { isPermitted } from '#server/actor.ts';
import type { Actor } from '#server/actor.ts';
import type { AccountContext, Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { writeTime } from '#server/platform/local-time.ts';
import { inScope } from '#server/scope.ts';
import { describeAlert } from './alert-words.ts';
import { listedAtOnce, momentKinds } from './occasions/occasion.ts';
import type { AlertFacts } from './occasions/occasion.ts';
import { announceAlerts } from './occasions/raise-alerts.ts';
import { findAlertSettings } from './settings.ts';
import type { AlertTables } from './tables.ts';

export type AlertRow = Selectable<AlertTables['alerts']>;

const mostListed = 100;

/** Alerts that name things which not every member may read. */
const needs: Readonly<Partial<Record<AlertKind, Permission>>> = {
  campaign_waiting: 'campaigns:read',
  campaign_failed: 'campaigns:read',
  webhook_failing: 'webhooks:read',
  import_done: 'contacts:read',
};

function isReadBy(actor: Actor, kind: AlertKind): boolean {
  const permission = needs[kind];
  return permission === undefined || isPermitted(actor, permission);
}

type Answer = { data: Alert[]; hidden_kinds: AlertKind[] };

/** Conditions not yet worth a mail are left out; single events are listed at once. */
export async function listAlerts(ctx: AccountContext, { status }: { status: 'open' | 'ended' }): Promise<Answer> {
  const settings = await findAlertSettings(ctx, ctx.account.id);
  const rows = await ctx.db
    .selectFrom('alerts')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where(inScope(ctx))
    .where(
      'kind',
      'in',
      AlertKind.options.filter((kind) => isReadBy(ctx.actor, kind)),
    )
    .where((where) =>
      status === 'ended'
        ? where.and([
            where('ended_at', 'is not', null),
            // As it was listed while it lasted, mailed or not.
            where.or([
              where('told_at', 'is not', null),
              where('due_at', '<=', where.ref('ended_at')),
              where('kind', 'in', [...listedAtOnce]),
            ]),
          ])
        : where.and([
            where('ended_at', 'is', null),
            where('dismissed_at', 'is', null),
            where.or([where('due_at', '<=', ctx.clock.now()), where('kind', 'in', [...listedAtOnce])]),
          ]),
    )
    .orderBy('began_at', 'desc')
    .orderBy('id', 'desc')
    .limit(mostListed)
    .execute();
  return {
    data: rows.map((row) => presentAlert(row, ctx.account.timezone)),
    hidden_kinds: AlertKind.options.filter((kind) => !settings[kind].dashboard),
  };
}

function presentAlert(row: AlertRow, timezone: string): Alert {
  return {
    id: row.id,
    kind: row.kind,
    project_id: row.project_id,
    subject_id: row.subject_id,
    ...wordsOf(row, timezone),
    began_at: row.began_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  };
}

export function wordsOf(row: Pick<AlertRow, 'kind' | 'facts' | 'ended_at'>, timezone: string) {
  return describeAlert(row.kind, row.facts as AlertFacts[typeof row.kind], {
    isOver: row.ended_at !== null,
    writeTime: (at) => writeTime(at, timezone),
  });
}

/** Takes it off the list. A single event ends with that, and a mail that it still owed is not sent. */
export async function dismissAlert(ctx: AccountContext, { alertId }: { alertId: number }): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const now = tx.clock.now();
    const row = await tx.db
      .updateTable('alerts')
      .set({ dismissed_at: now })
      .where('account_id', '=', tx.account.id)
      .where('id', '=', alertId)
      .returning('kind')
      .executeTakeFirst();
    if (!row) throw new NotFoundError('Alert');
    if (momentKinds.includes(row.kind)) {
      await tx.db
        .updateTable('alerts')
        .set({ ended_at: now, next_attempt_at: null })
        .where('account_id', '=', tx.account.id)
        .where('id', '=', alertId)
        .where('ended_at', 'is', null)
        .execute();
    }
    await announceAlerts(tx, [tx.account.id]);
  });
}

/** Their titles, by id. */
export async function findAlertTitles(
  ctx: Context,
  { accountId, alertIds }: { accountId: number; alertIds: readonly number[] },
): Promise<Map<number, string>> {
  if (alertIds.length === 0) return new Map();
  const rows = await ctx.db
    .selectFrom('alerts')
    .innerJoin('accounts', 'accounts.id', 'alerts.account_id')
    .selectAll('alerts')
    .select('accounts.timezone')
    .where('alerts.account_id', '=', accountId)
    .where('alerts.id', 'in', alertIds)
    .execute();
  return new Map(rows.map(({ timezone, ...row }) => [row.id, wordsOf(row, timezone).title]));
}
