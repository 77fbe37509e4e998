import type { Tx } from '#server/context.ts';
import { allowanceDay } from './allowance-day.ts';
import { assess, endRecovery, isWell, noteOvershoot } from './assess.ts';
import type { Assessment } from './assess.ts';
import type { PhoneHealth } from './health.ts';
import { loadSenders, momentOf } from './load-senders.ts';
import type { StoredSender } from './load-senders.ts';
import { entriesOfChange, noteEntries } from './log-entries.ts';
import { judgeDeliveries } from './signals.ts';
import { healthColumns } from './stored-health.ts';
import { warmUpTo } from './warm-up.ts';

export type HealthPhone = { accountId: number; projectId: number; phoneId: number; timeZone: string };

/**
 * Locks a phone's health and answers it as it stands now; undefined for a phone that keeps no pace. Changes due to time
 * alone are stored: a pause that begins now must not begin anew each time it is asked for.
 */
export async function lockSender(tx: Tx, phone: HealthPhone): Promise<StoredSender | undefined> {
  const locked = await tx.db
    .selectFrom('phone_health')
    .select('phone_id')
    .where('account_id', '=', phone.accountId)
    .where('phone_id', '=', phone.phoneId)
    .forUpdate()
    .executeTakeFirst();
  if (!locked) return undefined;
  const moment = momentOf(tx.clock.now(), phone.timeZone);
  const sender = (await loadSenders(tx, phone.accountId, [phone.phoneId], moment)).get(phone.phoneId);
  if (!sender) return undefined;
  const health = carryOn(sender, tx.clock.now(), phone.timeZone);
  if (health === sender.health) return sender;
  const stands = await saveHealth(tx, phone, sender, health);
  return { ...sender, health, row: { ...sender.row, ...stands } };
}

/** Applies the changes that time alone has made to a phone's health since it was stored. */
export function carryOn(
  sender: Pick<StoredSender, 'health' | 'fates' | 'history' | 'maxDaily'>,
  now: Date,
  timeZone: string,
): PhoneHealth {
  const { health, fates } = sender;
  const day = allowanceDay(now, timeZone);
  const warmed = warmUpTo(health, day, { isWell: isWell(assess(health, fates, now)), fates });
  const judged = judgeDeliveries(endRecovery(warmed, day), fates, now);
  return noteOvershoot(judged, sender, { now, day });
}

const isStopped = ({ state, code }: Pick<Assessment, 'state' | 'code'>) =>
  state === 'limited' || state === 'capped' || state === 'locked' || code === 'canary';

type Standing = Pick<Assessment, 'state' | 'code' | 'until'>;

/** Stores a health that was locked, tells of it where the phone stands otherwise than before, and answers how it stands. */
export async function saveHealth(
  tx: Tx,
  phone: HealthPhone,
  { row, fates, health: before }: StoredSender,
  health: PhoneHealth,
): Promise<Standing> {
  const now = tx.clock.now();
  const { state, code, until } = assess(health, fates, now);
  const hasMoved = state !== row.state || code !== row.code;
  await tx.db
    .updateTable('phone_health')
    .set({ ...healthColumns(health), state, code, until, ...(hasMoved && { state_since: now }) })
    .where('account_id', '=', phone.accountId)
    .where('phone_id', '=', phone.phoneId)
    .execute();
  const change = changeOf(row, { state, code });
  const entries = [...entriesOfChange(before, health), ...(hasMoved && change === 'recovered' ? [recovery] : [])];
  await noteEntries(tx, phone, entries);
  if (!hasMoved && until?.getTime() === row.until?.getTime()) return { state, code, until };
  const { accountId, projectId, phoneId } = phone;
  await tx.onDomainEvents(tx, [{ type: 'phone.health_changed', accountId, projectId, phoneId, change, at: now }]);
  return { state, code, until };
}

const recovery = { kind: 'recovered' } as const;

/** A canary is the end of a limit only once it is delivered. */
function changeOf(before: Omit<Standing, 'until'>, after: Omit<Standing, 'until'>): 'limited' | 'recovered' | 'other' {
  if (after.code === 'canary') return 'other';
  if (isStopped(after)) return 'limited';
  return isStopped(before) ? 'recovered' : 'other';
}
