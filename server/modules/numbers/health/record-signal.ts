import { sql } from 'kysely';
import { isSimulated } from '#contracts/connectors.ts';
import { StaleLeaseError } from '#server/connectors/messaging/port.ts';
import type { ConnectorName, StandingSignal } from '#server/connectors/messaging/port.ts';
import type { Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { allowanceDay } from './allowance-day.ts';
import { lockSender, saveHealth } from './change-health.ts';
import type { HealthPhone } from './change-health.ts';
import { loadContacts, recipientOf } from './contacts.ts';
import { newHealth } from './health.ts';
import { noteEntries } from './log-entries.ts';
import type { LogEntry } from './log-entries.ts';
import { applySignal, rememberCeiling } from './signals.ts';
import type { HealthSignal } from './signals.ts';
import { healthColumns } from './stored-health.ts';

/** A connector's signal about a phone; `linked`: scanned, not merely connected again. */
type NetworkSignal = Exclude<StandingSignal, { kind: 'held' | 'marketing_stopped' }> | { kind: 'linked' };
type Refusal = Extract<NetworkSignal, { kind: 'refused' }>;
type RefusedSignal = Extract<HealthSignal, { kind: 'refused' }>;

/** The holder of a phone's lease. */
type Holder = { accountId: number; phoneId: number; token: number };

/** Applies what the network said of a phone, and notes it for its owner. Throws `StaleLeaseError`. */
export async function recordSignal(ctx: Context, holder: Holder, signal: NetworkSignal): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const phone = await findHeld(tx, holder);
    if (signal.kind === 'linked') await ensureHealth(tx, phone, { is_protected: true });
    // A simulated phone links nothing and keeps no pace, but is limited as others are.
    if (isSimulated(phone.connector)) await ensureHealth(tx, phone, { is_protected: false });
    const sender = await lockSender(tx, phone);
    if (!sender) return;
    if (signal.kind === 'look_ups_paused') return noteEntries(tx, phone, [entryOf(signal)]);
    const now = tx.clock.now();
    if (signal.kind === 'refused') await rememberRefusal(tx, phone, signal);
    const applied = signal.kind === 'refused' ? await refusalOf(tx, phone, signal) : signal;
    const day = allowanceDay(now, phone.timeZone);
    const { health: before, fates } = sender;
    const health = rememberCeiling(before, applySignal(before, applied, now, day), fates.firstsOfDay, now);
    const entry = entryOf(signal);
    if (signal.kind === 'refused') {
      entry.detail = {
        contact: applied.kind === 'refused' && applied.contact,
        is_queued: await isQueued(tx, phone, signal),
      };
      if (health.limit !== null && health.limit.until.getTime() !== before.limit?.until.getTime()) {
        entry.until = health.limit.until;
        entry.detail['limit'] = health.limit.code;
      }
    }
    await noteEntries(tx, phone, [entry]);
    await saveHealth(tx, phone, sender, health);
  });
}

type HeldPhone = HealthPhone & { connector: ConnectorName };

async function findHeld(tx: Tx, { accountId, phoneId, token }: Holder): Promise<HeldPhone> {
  const row = await tx.db
    .selectFrom('phones')
    .innerJoin('phone_leases', 'phone_leases.phone_id', 'phones.id')
    .innerJoin('accounts', 'accounts.id', 'phones.account_id')
    .select(['phones.project_id', 'phones.connector', 'accounts.timezone'])
    .where('phones.account_id', '=', accountId)
    .where('phones.id', '=', phoneId)
    .where('phone_leases.token', '=', token)
    .executeTakeFirst();
  if (!row) throw new StaleLeaseError({ phoneId, token });
  return { accountId, phoneId, projectId: row.project_id, timeZone: row.timezone, connector: row.connector };
}

const hourMs = 60 * 60_000;

/** The contact's own refusal is stored by then, so that it is among those that are counted. */
async function refusalOf(tx: Tx, { phoneId }: HealthPhone, { to, timeLock }: Refusal): Promise<RefusedSignal> {
  const contacts = await loadContacts(tx, [phoneId], [to]);
  const since = new Date(tx.clock.now().getTime() - hourMs);
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from phone_contacts
     where phone_id = ${phoneId} and refused_at > ${since} and wrote_at is not null
  `.execute(tx.db);
  const { contact } = recipientOf(contacts, phoneId, to);
  return { kind: 'refused', contact, timeLock, knownRefused: rows[0]?.count ?? 0 };
}

/** Whether the message goes back to its queue; somebody waits for the answer of a direct one. */
async function isQueued(tx: Tx, { accountId, phoneId }: HealthPhone, { networkId }: Refusal): Promise<boolean> {
  const { rows } = await sql<{ is_queued: boolean | null }>`
    select is_queued from messages
     where phone_id = ${phoneId} and network_id = ${networkId} and account_id = ${accountId} and direction = 'outgoing'
     limit 1
  `.execute(tx.db);
  return rows[0]?.is_queued ?? false;
}

/** Without a lock it is about this contact: it has to write first. */
async function rememberRefusal(tx: Tx, { accountId, phoneId }: HealthPhone, { to, timeLock }: Refusal): Promise<void> {
  if (timeLock?.isActive) return;
  await sql`
    insert into phone_contacts (account_id, phone_id, phone_key, refused_at)
    values (${accountId}, ${phoneId}, phone_key(${to}), ${tx.clock.now()})
    on conflict (phone_id, phone_key) do update set refused_at = excluded.refused_at
  `.execute(tx.db);
}

/** A phone that was linked before it kept a pace, or is linked for the first time. */
async function ensureHealth(
  tx: Tx,
  { accountId, phoneId }: HealthPhone,
  { is_protected }: { is_protected: boolean },
): Promise<void> {
  const values = { account_id: accountId, phone_id: phoneId, state_since: tx.clock.now() };
  await tx.db
    .insertInto('phone_health')
    .values({ ...values, ...healthColumns(newHealth), is_protected })
    .onConflict((conflict) => conflict.column('phone_id').doNothing())
    .execute();
}

function entryOf(signal: NetworkSignal): LogEntry {
  const { kind } = signal;
  if (kind === 'refused') return { kind, number: signal.to, until: untilOf(signal) };
  if (kind === 'time_lock') return { kind, until: untilOf(signal), detail: { is_active: signal.timeLock.isActive } };
  if (kind === 'locked') return { kind, until: signal.until, detail: { reason: signal.reason } };
  if (kind !== 'cap') return { kind, until: untilOf(signal) };
  return { kind, until: signal.endsAt, detail: { used: signal.used, total: signal.total, status: signal.status } };
}

function untilOf(signal: NetworkSignal): Date | null {
  switch (signal.kind) {
    case 'locked':
    case 'look_ups_paused':
      return signal.until;
    case 'refused':
    case 'time_lock':
      return signal.timeLock?.isActive ? signal.timeLock.endsAt : null;
    case 'cap':
      return signal.endsAt;
    case 'linked':
      return null;
  }
}
