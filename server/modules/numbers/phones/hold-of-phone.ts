import type { WaitingReason } from '#contracts/waiting-reason.ts';
import { holdOfSender, momentOf } from '#server/modules/numbers/health/index.ts';
import type { StoredSender } from '#server/modules/numbers/health/index.ts';
import type { OfficialHold } from './official/number-holds.ts';
import type { PhoneRow } from './tables.ts';
import { messagesToday, openCount } from './rotation/daily-count.ts';
import type { DailyCount, Moment } from './rotation/daily-count.ts';

/** As campaigns and flows say it. */
export type PhoneHold = { waiting_for: WaitingReason | null; waiting_until: string | null };

type HeldPhone = Pick<PhoneRow, 'status' | 'is_active' | 'max_daily_messages'> & DailyCount & { is_resting: boolean };

type Standing = { sender: StoredSender | undefined; official: OfficialHold | undefined };

/** The reason that keeps a phone's queued messages from going out now, the gravest first. */
export function holdOfPhone(phone: HeldPhone, { sender, official }: Standing, at: Moment): PhoneHold {
  const lock = sender?.health.lock;
  if (lock && lock.until > at.now) return hold('phone_locked', lock.until);
  if (phone.status !== 'connected') return hold('no_connected_phone');
  if (phone.is_resting) return hold('sandbox_resting');
  if (!phone.is_active) return hold('phones_inactive');
  const paced = sender && holdOfSender(sender, momentOf(at.now, at.timezone));
  if (paced) return hold(`phone_${paced.why}`, paced.until);
  if (official) return hold(official.waitingFor, official.waitingUntil);
  if (messagesToday(phone, at) >= phone.max_daily_messages) return hold('daily_limit', openCount(phone, at).endsAt);
  return hold(null);
}

const hold = (waitingFor: WaitingReason | null, until: Date | null = null): PhoneHold => ({
  waiting_for: waitingFor,
  waiting_until: until?.toISOString() ?? null,
});

/** The order of reasons to report where several phones are held for different reasons without a known end. */
const fixable: readonly (WaitingReason | null)[] = ['phones_inactive', 'sandbox_resting', 'no_connected_phone'];

/** The reason that keeps a project from sending: none while a phone of it may, else the one that ends the soonest. */
export function holdOfProject(holds: readonly PhoneHold[]): PhoneHold {
  if (holds.length === 0) return hold('no_connected_phone');
  const free = holds.find(({ waiting_for: reason }) => reason === null);
  if (free) return free;
  const [soonest] = holds
    .filter(({ waiting_until: until }) => until !== null)
    .toSorted((a, b) => Date.parse(a.waiting_until ?? '') - Date.parse(b.waiting_until ?? ''));
  if (soonest) return soonest;
  const [first] = holds.toSorted((a, b) => fixable.indexOf(a.waiting_for) - fixable.indexOf(b.waiting_for));
  return first ?? hold('no_connected_phone');
}
