import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { isLeaseHeld } from '#server/modules/numbers/phones/index.ts';
import { tryTurn } from '#server/platform/db/shared-names.ts';
import { createPolledService } from '#server/platform/polled-service.ts';
import type { Reading, Service } from '#server/platform/service.ts';

const pollMs = 60_000;
/** Shorter than the poll: where there is one process it counts each time. */
const freshMs = 45_000;
const failsAfterMs = 5 * 60_000;
const loudest = 20;

/**
 * Counts what belongs to no single process, about once a minute: phones, and with METRICS_ACCOUNTS the loudest accounts. A single
 * process counts, and all show it.
 */
export function createFigureWatch(ctx: Context): Service {
  let readings: readonly Reading[] = [];
  const service = createPolledService(ctx, {
    name: 'figures',
    pollMs,
    failsAfterMs,
    async work() {
      const accounts = ctx.config.areAccountsMeasured ? await countOnce(ctx, 'accounts', readLoudest) : [];
      readings = [...(await countOnce(ctx, 'phones', readPhones)), ...accounts];
    },
  });
  return { ...service, health: () => ({ ...service.health(), gauges: readings }) };
}

const isFresh = sql<boolean>`counted_at > clock_timestamp() - ${freshMs} * interval '1 millisecond'`;

/** Answers what was counted last; counts where that is a while ago, and no other process is at it. */
function countOnce(ctx: Context, name: string, count: (ctx: Context) => Promise<Reading[]>): Promise<Reading[]> {
  return inTransaction(ctx, async (tx) => {
    const isOurs = await tryTurn(tx.db, `figures.${name}`);
    const last = await tx.db
      .selectFrom('counted_figures')
      .select(['readings', isFresh.as('isFresh')])
      .where('name', '=', name)
      .executeTakeFirst();
    if (!isOurs || last?.isFresh) return last?.readings ?? [];
    const readings = await count(tx);
    await tx.db
      .insertInto('counted_figures')
      .values({ name, counted_at: sql<Date>`clock_timestamp()`, readings: JSON.stringify(readings) })
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet(({ ref }) => ({
          counted_at: ref('excluded.counted_at'),
          readings: ref('excluded.readings'),
        })),
      )
      .execute();
    return readings;
  });
}

// account-wide: the figures are the operator's.
async function readPhones(ctx: Context): Promise<Reading[]> {
  const { rows } = await sql<{ status: string; connector: string; held: boolean; phones: number }>`
    select p.status, p.connector, coalesce(${isLeaseHeld()}, false) as held, count(*)::int as phones
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
