import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { assess } from './assess.ts';
import { carryOn, lockSender, saveHealth } from './change-health.ts';
import type { HealthPhone } from './change-health.ts';
import { loadSenders, momentOf } from './load-senders.ts';

/** Phones that are read together. */
const pagePhones = 200;

const roundMs = 60_000;

/**
 * Stores what time alone has made of the phones that are connected, and tells of it: a limit that is over, messages that
 * were never delivered, a step of the warm-up. Without it a phone that sends nothing would be told of when it next does.
 */
export async function assessPhones(ctx: Context): Promise<void> {
  const endsAt = performance.now() + roundMs;
  let after = 0;
  for (;;) {
    const phones = await findPhones(ctx, after);
    const last = phones.at(-1);
    if (!last) return;
    for (const [accountId, ofAccount] of Map.groupBy(phones, (phone) => phone.accountId)) {
      for (const phone of await findChanged(ctx, accountId, ofAccount)) {
        await saveAsItStands(ctx, phone).catch((error: unknown) => {
          ctx.logger.warn({ err: error, phoneId: phone.phoneId }, 'the health of a phone was not assessed');
        });
      }
    }
    after = last.phoneId;
    if (performance.now() > endsAt) return;
  }
}

async function findPhones(ctx: Context, after: number): Promise<HealthPhone[]> {
  const rows = await ctx.db
    .selectFrom('phone_health')
    .innerJoin('phones', 'phones.id', 'phone_health.phone_id')
    .innerJoin('accounts', 'accounts.id', 'phone_health.account_id')
    .select(['phone_health.account_id', 'phone_health.phone_id', 'phones.project_id', 'accounts.timezone'])
    // account-wide: every account's phones are assessed.
    .where('phone_health.phone_id', '>', after)
    .where('phones.status', '=', 'connected')
    .orderBy('phone_health.phone_id')
    .limit(pagePhones)
    .execute();
  return rows.map((row) => ({
    accountId: row.account_id,
    phoneId: row.phone_id,
    projectId: row.project_id,
    timeZone: row.timezone,
  }));
}

/** Without a lock: most stand as they were stored. */
async function findChanged(ctx: Context, accountId: number, phones: readonly HealthPhone[]): Promise<HealthPhone[]> {
  const timeZone = phones[0]?.timeZone ?? 'UTC';
  const now = ctx.clock.now();
  const phoneIds = phones.map(({ phoneId }) => phoneId);
  const senders = await loadSenders(ctx, accountId, phoneIds, momentOf(now, timeZone));
  return phones.filter(({ phoneId }) => {
    const sender = senders.get(phoneId);
    if (!sender) return false;
    const health = carryOn(sender, now, timeZone);
    const { state, code, until } = assess(health, sender.fates, now);
    return (
      state !== sender.row.state ||
      code !== sender.row.code ||
      until?.getTime() !== sender.row.until?.getTime() ||
      health.rampDay !== sender.health.rampDay
    );
  });
}

async function saveAsItStands(ctx: Context, phone: HealthPhone): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const sender = await lockSender(tx, phone);
    if (sender) await saveHealth(tx, phone, sender, sender.health);
  });
}
