import { sql } from 'kysely';
import type { Message } from '#contracts/messages.ts';
import type { Context, Tx } from '#server/context.ts';
import type { DomainEvent } from '#server/domain-events.ts';

const dayMs = 24 * 60 * 60_000;

type Failed = Extract<DomainEvent, { data: Message }>;

/** Meta let a marketing message not reach somebody: none is tried within 24 hours. */
export async function noteMarketingCaps(tx: Tx, events: readonly DomainEvent[]): Promise<void> {
  const capped = events.filter(
    (event): event is Failed => event.type === 'message.failed' && event.data.error_code === 'marketing_capped',
  );
  if (capped.length === 0) return;
  await sql`
    insert into marketing_caps (account_id, phone_key, until)
    select distinct x.account_id, phone_key(x.number), ${new Date(tx.clock.now().getTime() + dayMs)}::timestamptz
      from unnest(${capped.map(({ accountId }) => accountId)}::bigint[],
                  ${capped.map(({ data }) => data.to)}::text[]) as x (account_id, number)
     where x.number is not null
     order by 1, 2
    on conflict (account_id, phone_key) do update set until = excluded.until
  `.execute(tx.db);
}

/** Of these numbers, those to which Meta lets no marketing go now. */
export async function findCapped(
  ctx: Context,
  accountId: number,
  numbers: readonly string[],
): Promise<ReadonlySet<string>> {
  if (numbers.length === 0) return new Set();
  const { rows } = await sql<{ number: string }>`
    /* prepared: find-capped */
    select x.number from unnest(${numbers}::text[]) as x (number)
      join marketing_caps m on m.account_id = ${accountId} and m.phone_key = phone_key(x.number)
     where m.until > ${ctx.clock.now()}
  `.execute(ctx.db);
  return new Set(rows.map(({ number }) => number));
}
