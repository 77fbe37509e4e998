import { sql } from 'kysely';
import type { PhoneHealthHistory } from '#contracts/phone-health.ts';
import type { AccountContext } from '#server/context.ts';
import { lastDays, localDay } from '#server/platform/wall-clock.ts';
import { assess, isWell } from './assess.ts';
import { carryOn } from './change-health.ts';
import { isUnanswered } from './health.ts';
import { loadSenders, momentOf } from './load-senders.ts';
import type { StoredSender } from './load-senders.ts';
import type { Moment } from './may-send.ts';
import { stepOfDay, warmUp } from './warm-up.ts';

type DayRow = { date: string; sent: number; delivered: number; answered: number };

const shownDays = 14;

/** A phone's warm-up and its last days, as its page shows them. */
export async function findHealthHistory(ctx: AccountContext, phoneId: number): Promise<PhoneHealthHistory> {
  const moment = momentOf(ctx.clock.now(), ctx.account.timezone);
  const sender = (await loadSenders(ctx, ctx.account.id, [phoneId], moment)).get(phoneId);
  return { warm_up: sender ? presentWarmUp(sender, moment) : null, days: await findDays(ctx, phoneId) };
}

const dayMs = 24 * 60 * 60_000;

function presentWarmUp(sender: StoredSender, { now, day, timeZone }: Moment): PhoneHealthHistory['warm_up'] {
  const health = carryOn(sender, now, timeZone);
  if (health.linkedAt === null) return null;
  const step = stepOfDay(health.rampDay);
  const next = warmUp.find(({ fromDay }) => fromDay > step.fromDay);
  const goesOn = health.isProtected && isWell(assess(health, sender.fates, now)) && !isUnanswered(sender.fates);
  const daysLeft = next && goesOn ? next.fromDay - health.rampDay : undefined;
  const nextOn = daysLeft === undefined ? null : new Date(Date.parse(day.key) + daysLeft * dayMs);
  return {
    day: health.rampDay,
    steps: warmUp.map(({ fromDay, first, known }) => ({ from_day: fromDay, first_contacts: first, known })),
    next_step_on: nextOn && nextOn.toISOString().slice(0, 10),
  };
}

async function findDays(ctx: AccountContext, phoneId: number): Promise<PhoneHealthHistory['days']> {
  const { timezone } = ctx.account;
  const now = ctx.clock.now();
  // A day more, for what the zone's offset adds.
  const from = new Date(now.getTime() - (shownDays + 1) * dayMs);
  const { rows } = await sql<DayRow>`
    select (accepted_at at time zone ${timezone})::date::text as date, count(*)::int as sent,
           count(delivered_at)::int as delivered, count(answered_at)::int as answered
      from phone_sends
     where account_id = ${ctx.account.id} and phone_id = ${phoneId} and accepted_at is not null and at >= ${from}
     group by 1
  `.execute(ctx.db);
  const byDate = new Map(rows.map((row) => [row.date, row]));
  return lastDays(localDay(now, timezone), shownDays).map(
    (date) => byDate.get(date) ?? { date, sent: 0, delivered: 0, answered: 0 },
  );
}
