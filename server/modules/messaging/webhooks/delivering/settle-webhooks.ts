import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { publishAllLive } from '#server/modules/identity/live/index.ts';
import { inTransaction } from '#server/context.ts';
import { columnsOf } from '#server/platform/db/any-length.ts';
import { countersOf } from '#server/process-counters.ts';
import { packAttempt } from '../packed-attempt.ts';
import type { SettledWebhook } from './attempt-result.ts';
import { recordEndpointNotices } from './endpoint-notices.ts';
import { judgeEndpoints } from './judge-endpoints.ts';
import { saveEndpointVerdicts } from './save-endpoint-verdicts.ts';

/** Further attempts, which people asked for, are counted and no longer listed. */
const listedAttempts = 50;

/**
 * Writes what attempts came to. A record whose lease is no longer the claimed one belongs to another process, which
 * will settle it: it stays as it is. Answers whether an endpoint was switched off for it.
 */
export async function settleWebhooks(ctx: Context, settled: readonly SettledWebhook[]): Promise<boolean> {
  const column = columnsOf(settled);
  const isDisabled = await inTransaction(ctx, async (tx) => {
    const { rows: projects } = await sql<{ account_id: number; project_id: number }>`
      /* prepared: settle-webhooks */
      with changed as (
        update webhook_records as r
        set status = s.status, error = s.error, attempts = s.attempts, last_status_code = s.status_code,
          next_attempt_at = s.next_attempt_at, manual_attempts = s.manual_attempts, is_manual = s.is_manual,
          scheduled_attempt_at = case when s.is_manual then r.scheduled_attempt_at end,
          history = case when s.attempt is null or jsonb_array_length(r.history) >= ${listedAttempts} then r.history
            else coalesce(r.history, '[]') || s.attempt end
        from unnest(
          ${column(({ record }) => record.account_id, 'bigint')},
          ${column(({ record }) => record.id, 'bigint')},
          ${column(({ record }) => record.leased_until.toISOString(), 'timestamptz')},
          ${column(({ result }) => result.status, 'text')},
          ${column(({ result }) => result.error, 'text')},
          ${column(({ result }) => result.attempts, 'int')},
          ${column(({ result }) => result.manualAttempts, 'int')},
          ${column(({ result }) => result.isManual, 'boolean')},
          ${column(({ result }) => result.statusCode, 'int')},
          ${column(({ result }) => result.nextAttemptAt?.toISOString() ?? null, 'timestamptz')},
          ${column(({ attempt }) => (attempt ? JSON.stringify([packAttempt(attempt)]) : null), 'jsonb')}
        ) as s (account_id, id, leased_until, status, error, attempts, manual_attempts, is_manual, status_code,
          next_attempt_at, attempt)
        where r.account_id = s.account_id and r.id = s.id
          and r.status = 'pending' and r.next_attempt_at = s.leased_until
        returning r.account_id, r.project_id
      )
      select distinct account_id, project_id from changed
    `.execute(tx.db);
    await publishAllLive(
      tx,
      projects.map(({ account_id, project_id }) => ({
        accountId: account_id,
        event: { type: 'webhooks.changed', project_id },
      })),
    );
    const disabled = await saveEndpointVerdicts(tx, judgeEndpoints(settled));
    await recordEndpointNotices(tx, disabled);
    await publishAllLive(
      tx,
      disabled.map(({ account_id, project_id }) => ({
        accountId: account_id,
        event: { type: 'projects.changed', project_id },
      })),
    );
    return disabled.length > 0;
  });
  for (const { result } of settled) countersOf(ctx).add('dovepost_webhook_attempts_total', { status: result.status });
  return isDisabled;
}
