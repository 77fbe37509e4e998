import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { allowancesOf, assess } from './assess.ts';
import { carryOn, lockSender, saveHealth } from './change-health.ts';
import type { HealthPhone } from './change-health.ts';
import { loadSenders, momentOf } from './load-senders.ts';
import type { StoredSender } from './load-senders.ts';

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
      const senders = await sendersOf(ctx, accountId, ofAccount);
      await announceFirstContacts(ctx, ofAccount, senders);
      for (const phone of findChanged(ctx, ofAccount, senders)) {
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

type Senders = ReadonlyMap<number, StoredSender>;

/** Without a lock: most stand as they were stored. */
function sendersOf(ctx: Context, accountId: number, phones: readonly HealthPhone[]): Promise<Senders> {
  const moment = momentOf(ctx.clock.now(), phones[0]?.timeZone ?? 'UTC');
  return loadSenders(
    ctx,
    accountId,
    phones.map(({ phoneId }) => phoneId),
    moment,
  );
}

/** From this share of the day's first contacts on an account is alerted. */
const alertedFrom = 0.8;

/**
 * Tells whose first contacts of the day are mostly or all used, where direct messages had a part in it: queued messages
 * keep to the allowance by themselves.
 */
async function announceFirstContacts(ctx: Context, phones: readonly HealthPhone[], senders: Senders): Promise<void> {
  const now = ctx.clock.now();
  const events = phones.flatMap(({ accountId, projectId, phoneId, timeZone }) => {
    const sender = senders.get(phoneId);
    if (!sender?.health.isProtected || sender.directFirstToday === 0) return [];
    const { day } = momentOf(now, timeZone);
    const allowed = allowancesOf(carryOn(sender, now, timeZone), { ...sender, day, now }).first;
    const used = sender.history.today.first;
    if (allowed === 0 || used < alertedFrom * allowed) return [];
    const type = 'phone.first_contacts_used' as const;
    return [{ type, accountId, projectId, phoneId, used, allowed, until: day.endsAt, at: now }];
  });
  if (events.length > 0) await inTransaction(ctx, (tx) => tx.onDomainEvents(tx, events));
}

function findChanged(ctx: Context, phones: readonly HealthPhone[], senders: Senders): HealthPhone[] {
  const now = ctx.clock.now();
  return phones.filter(({ phoneId, timeZone }) => {
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
