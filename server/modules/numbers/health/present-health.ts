import type { PhoneHealth, PhoneHealthCode } from '#contracts/phone-health.ts';
import { allowancesOf, assess } from './assess.ts';
import { carryOn } from './change-health.ts';
import type { StoredSender } from './load-senders.ts';
import type { Moment } from './may-send.ts';
import { isRestAfterSecond } from './signals.ts';
import { warmDay } from './warm-up.ts';

/** The sentence for people that each code stands for. */
export const healthReasons: Readonly<Record<PhoneHealthCode, string>> = {
  warming_up: 'This number is warming up: it may send a little more each week, so that WhatsApp gets to know it.',
  linked_recently:
    'This number was linked within the last 24 hours: queued messages go to people who wrote to it alone.',
  cap_warning: 'WhatsApp warns that this number has begun many new chats: fewer first contacts go out.',
  few_delivered: 'Under 60 % of its last messages were delivered: it sends half as much until that is better.',
  recovering: 'After a limit this number sends a quarter of its allowance, doubling daily.',
  canary: 'A limit is over: one message goes out alone, and the others follow once it is delivered.',
  new_chat_cap:
    'WhatsApp allows this number no more new chats in this cycle. People who wrote to it are still answered.',
  time_lock:
    'WhatsApp locks new chats of this number. Nothing is lost: queued messages wait, and people who wrote to it are still answered. Linking it again now would make it worse.',
  refused_twice: 'WhatsApp refused two new chats within a day: first contacts pause for a day.',
  known_refused: 'WhatsApp refused messages to people who wrote to this number: everything queued waits.',
  many_opted_out:
    'Of its last 50 messages 5 % or more were answered by opting out: it sends half as much until that is better.',
  over_allowance:
    "Direct messages went to twice as many new people as the day's allowance, or more: that is what numbers are locked for.",
  nothing_delivered:
    'None of its last ten messages was delivered: queued messages pause for a day. Look at WhatsApp on the handset.',
  account_locked: 'WhatsApp has locked this account for a time. It connects by itself afterwards.',
};

const secondLock =
  'WhatsApp locked new chats of this number twice within 30 days, and a third lock mostly ends in a ban: nobody new is written to until the first one is 30 days ago. People who wrote to it are still answered.';

/** As the phone's JSON shows it, with what time has made of it since it was stored. */
export function presentHealth(sender: StoredSender, { now, day, timeZone }: Moment, isSimulated = false): PhoneHealth {
  const { fates, history, maxDaily, shares } = sender;
  const health = carryOn(sender, now, timeZone);
  const { state, code, until } = assess(health, fates, now);
  const allowed = allowancesOf(health, { fates, day, now, maxDaily });
  const lockReason = code === 'account_locked' ? health.lock?.reason : undefined;
  const restReason = code === 'time_lock' && isRestAfterSecond(health) ? secondLock : undefined;
  const reason = lockReason ?? restReason ?? (code && healthReasons[code]);
  return {
    state,
    until: until?.toISOString() ?? null,
    code,
    reason: isSimulated && reason !== null ? `Simulated: ${reason}` : reason,
    simulated: isSimulated,
    allowances: {
      first_contacts: { allowed: allowed.first, used: history.today.first },
      known: { allowed: allowed.known, used: history.today.known },
    },
    delivered_share_24h: shares.sent === 0 ? null : shares.delivered / shares.sent,
    answered_share_24h: shares.sent === 0 ? null : shares.answered / shares.sent,
    warm_up_day: health.rampDay,
    is_protected: health.isProtected,
    quiet_hours: health.hasQuietHours,
    older_account: health.isOlderAccount,
  };
}

/** Of a sandbox that nothing was simulated for: it keeps no pace. `most` is its daily maximum. */
export function simulatedHealth(most: number): PhoneHealth {
  const allowance = { allowed: most, used: 0 };
  return {
    state: 'healthy',
    until: null,
    code: null,
    reason: null,
    simulated: true,
    allowances: { first_contacts: allowance, known: allowance },
    delivered_share_24h: null,
    answered_share_24h: null,
    warm_up_day: warmDay,
    is_protected: false,
    quiet_hours: false,
    older_account: false,
  };
}
