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
};

const dayMs = 24 * 60 * 60_000;
const horizonMs = 366 * dayMs;
/** A computation is for somebody who waits. */
const mostSteps = 400_000;

type Remaining = { recipient: Recipient; count: number };

/**
 * When these recipients have been written to over these phones, if nothing happens to them: `maySend` asked in virtual
 * time, with gaps of their middle length. All phones that may send do, the known first.
 */
export function forecast(
  phones: readonly StartingPoint[],
  groups: readonly RecipientGroup[],
  { timeZone, now }: { timeZone: string; now: Date },
): Forecast {
  const virtual = phones.map((phone) => createVirtualPhone(phone, { timeZone, random: () => 0.5 }));
  const left = groups
    .toSorted((a, b) => rank[a.contact] - rank[b.contact])
    .map(({ contact, country, count }) => ({ recipient: { contact, country, mustWriteFirst: false }, count }));
  const wanted = left.reduce((sum, { count }) => sum + count, 0);
  const isDone = () => left.every(({ count }) => count === 0);
  const unpaced = phones.length > 0 && phones.every(({ health }) => !health.isProtected);
  if (wanted === 0 || unpaced) return { doneAt: wanted === 0 ? now : forUnpaced(phones, wanted, now), count: wanted };
  let atMs = now.getTime();
  const untilMs = atMs + horizonMs;
  for (let step = 0; step < mostSteps && atMs < untilMs; step += 1) {
    const nextMs = sendAll(virtual, left, new Date(atMs));
    if (isDone()) return { doneAt: new Date(atMs), count: wanted };
    if (nextMs === undefined) break;
    atMs = nextMs;
  }
  return { doneAt: null, count: wanted - left.reduce((sum, { count }) => sum + count, 0) };
}

const rank = { known: 0, first: 1 } as const;

/** Each phone sends what it may at this moment; answers when the first of them may again. */
function sendAll(phones: readonly VirtualPhone[], left: readonly Remaining[], now: Date): number | undefined {
  let nextMs: number | undefined;
  for (const phone of phones) {
    for (const group of left) {
      if (group.count === 0) continue;
      let verdict = phone.ask(group.recipient, now);
      if (verdict.kind === 'now') {
        phone.send(group.recipient.contact, now);
        group.count -= 1;
        if (group.count > 0) verdict = phone.ask(group.recipient, now);
      }
      if (verdict.kind === 'later') nextMs = Math.min(nextMs ?? Infinity, verdict.at.getTime());
    }
  }
  return nextMs;
}

/** Only the daily maximum bounds them. */
function forUnpaced(phones: readonly StartingPoint[], wanted: number, now: Date): Date {
  const aDay = phones.reduce((sum, { maxDaily }) => sum + maxDaily, 0);
  return new Date(now.getTime() + Math.floor(Math.max(0, wanted - 1) / Math.max(1, aDay)) * dayMs);
}
