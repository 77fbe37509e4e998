import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { createPolledService } from '#server/platform/polled-service.ts';
import type { Reading, Service } from '#server/platform/service.ts';

const pollMs = 60_000;
const failsAfterMs = 5 * 60_000;
const loudest = 20;

/** Counts what belongs to no single process, once a minute: phones, and with METRICS_ACCOUNTS the loudest accounts. */
export function createFigureWatch(ctx: Context): Service {
  let readings: readonly Reading[] = [];
  const service = createPolledService(ctx, {
    name: 'figures',
    pollMs,
    failsAfterMs,
    async work() {
      const accounts = ctx.config.areAccountsMeasured ? await readLoudest(ctx) : [];
      readings = [...(await readPhones(ctx)), ...accounts];
    },
  });
  return { ...service, health: () => ({ ...service.health(), gauges: readings }) };
}

// account-wide: the figures are the operator's.
async function readPhones(ctx: Context): Promise<Reading[]> {
  const { rows } = await sql<{ status: string; connector: string; held: boolean; phones: number }>`
    select p.status, p.connector, coalesce(l.expires_at > clock_timestamp(), false) as held, count(*)::int as phones
      from phones p left join phone_leases l on l.phone_id = p.id
     where p.number is not null group by 1, 2, 3
  `.execute(ctx.db);
  return rows.map(({ status, connector, held, phones }) => ({
    name: 'dovepost_phone_count',
    help: 'Phones of all accounts by status, connector and whether a process holds them',
    labels: { status, connector, held: String(held) },
    value: phones,
  }));
}

// account-wide: the figures are the operator's.
async function readLoudest(ctx: Context): Promise<Reading[]> {
  const { rows } = await sql<{ account_id: number; messages: number }>`
    select account_id, sum(sent + failed + received)::int as messages from message_counts
     where quarter_hour > now() - interval '1 hour' group by account_id order by messages desc limit ${loudest}
  `.execute(ctx.db);
  return rows.map(({ account_id: accountId, messages }) => ({
    name: 'dovepost_account_messages',
    help: 'Messages of the loudest accounts in the last hour',
    labels: { account: String(accountId) },
    value: messages,
  }));
}
