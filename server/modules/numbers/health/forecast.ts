import { localDay } from '#server/platform/wall-clock.ts';
import { nextDaytime } from './daytime.ts';
import type { ContactKind } from './health.ts';
import type { Recipient } from './may-send.ts';
import { createVirtualPhone } from './virtual-phone.ts';
import type { StartingPoint, VirtualPhone } from './virtual-phone.ts';

/** Recipients that are alike, as far as the pace goes. */
export type RecipientGroup = { contact: ContactKind; country: string | undefined; count: number };

export type Forecast = {
  /** When the last message goes out; null: not within a year, or never. */
  doneAt: Date | null;
  /** How many of them go out by then, or within the year. */
  count: number;
  /** How many on which day (YYYY-MM-DD) of the account's, in their order; the first ones alone where it takes long. */
  days: { date: string; count: number }[];
};

const dayMs = 24 * 60 * 60_000;
const horizonMs = 366 * dayMs;
/** A computation is for somebody who waits; what is left by then goes on as it did last. */
const mostAsks = 60_000;
/** Of so many days, at the most, is what it did last. */
const latestDays = 7;

type Remaining = { recipient: Recipient; count: number };

/**
 * When these recipients have been written to over these phones, if nothing happens to them: `maySend` asked in virtual
 * time, with gaps of their middle length. All phones that may send do, the known first. A phone that is not protected is
 * bounded by its daily maximum alone: see `forecastUnpaced`.
 */
export function forecast(
  phones: readonly StartingPoint[],
  groups: readonly RecipientGroup[],
  { timeZone, now }: { timeZone: string; now: Date },
): Forecast {
  const virtual = phones.map((phone) => createVirtualPhone(phone, { timeZone, random: () => 0.5 }));
  const left = alike(groups, { timeZone, now });
  const countLeft = () => left.reduce((sum, { count }) => sum + count, 0);
  const wanted = countLeft();
  const perDay = new Map<string, number>();
  const days = () => Array.from(perDay, ([date, count]) => ({ date, count }));
  if (wanted === 0) return { doneAt: now, count: 0, days: [] };
  let atMs = now.getTime();
  const untilMs = atMs + horizonMs;
  for (let asks = 0; asks < mostAsks && atMs < untilMs;) {
    const step = sendAll(virtual, left, new Date(atMs));
    asks += step.asks;
    const date = localDay(new Date(atMs), timeZone);
    if (step.sent > 0) perDay.set(date, (perDay.get(date) ?? 0) + step.sent);
    const remaining = countLeft();
    if (remaining === 0) return { doneAt: new Date(atMs), count: wanted, days: days() };
    if (step.nextMs === undefined) return { doneAt: null, count: wanted - remaining, days: days() };
    atMs = step.nextMs;
  }
  return { ...carriedOn(days(), { atMs, untilMs, wanted, remaining: countLeft() }), days: days() };
}

type Cut = { atMs: number; untilMs: number; wanted: number; remaining: number };

/** The day that is not over says nothing, unless it is the only one. */
function carriedOn(days: Forecast['days'], { atMs, untilMs, wanted, remaining }: Cut): Omit<Forecast, 'days'> {
  const whole = days.length > 1 ? days.slice(1, -1) : days;
  const latest = (whole.length > 0 ? whole : days).slice(-latestDays);
  const aDay = latest.reduce((sum, { count }) => sum + count, 0) / Math.max(1, latest.length);
  const daysLeft = Math.max(0, (untilMs - atMs) / dayMs);
  if (aDay === 0 || remaining / aDay > daysLeft) {
    return { doneAt: null, count: wanted - Math.max(0, remaining - Math.floor(aDay * daysLeft)) };
  }
  return { doneAt: new Date(atMs + Math.ceil((remaining / aDay) * dayMs)), count: wanted };
}

const rank = { known: 0, first: 1 } as const;

/** Countries in which the day begins together share a question. */
function alike(groups: readonly RecipientGroup[], at: { timeZone: string; now: Date }): Remaining[] {
  const keyOf = ({ contact, country }: RecipientGroup) =>
    contact === 'known' ? contact : `${contact} ${nextDaytime(country, at.timeZone, at.now).getTime()}`;
  return [...Map.groupBy(groups, keyOf).values()]
    .flatMap((same): Remaining[] => {
      const [largest] = same.toSorted((a, b) => b.count - a.count);
      const count = same.reduce((sum, each) => sum + each.count, 0);
      if (!largest || count === 0) return [];
      return [{ recipient: { contact: largest.contact, country: largest.country, mustWriteFirst: false }, count }];
    })
    .toSorted((a, b) => rank[a.recipient.contact] - rank[b.recipient.contact] || b.count - a.count);
}

type Step = { sent: number; asks: number; nextMs: number | undefined };

/** Each phone sends what it may at this moment; `nextMs`: when the first of them may again. */
function sendAll(phones: readonly VirtualPhone[], left: readonly Remaining[], now: Date): Step {
  const step: Step = { sent: 0, asks: 0, nextMs: undefined };
  for (const phone of phones) {
    /** Any reason but the night that holds back a message of a kind holds back all of that kind. */
    const held = new Set<ContactKind>();
    for (const group of left) {
      const { contact } = group.recipient;
      if (group.count === 0 || held.has(contact)) continue;
      let verdict = phone.ask(group.recipient, now);
      step.asks += 1;
      if (verdict.kind === 'now') {
        phone.send(contact, now);
        step.sent += 1;
        group.count -= 1;
        verdict = phone.ask(group.recipient, now);
        step.asks += 1;
      }
      if (verdict.kind !== 'later') continue;
      step.nextMs = Math.min(step.nextMs ?? Infinity, verdict.at.getTime());
      if (verdict.why !== 'night') held.add(contact);
    }
  }
  return step;
}
