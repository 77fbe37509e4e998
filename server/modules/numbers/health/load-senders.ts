import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { isUnsent } from '#server/unsent.ts';
import type { AllowanceDay } from './allowance-day.ts';
import { allowanceDay } from './allowance-day.ts';
import { timeToAnswerMs } from './health.ts';
import type { Fates } from './health.ts';
import type { Moment, SendHistory, Sender } from './may-send.ts';
import { readHealth } from './stored-health.ts';
import type { HealthRow } from './stored-health.ts';

/** A phone that keeps a pace, as it stands in the database. */
export type StoredSender = Sender & {
  row: HealthRow;
  /** First contacts of this day of allowances that were written to without a place in the queue. */
  directFirstToday: number;
  /** Of the last 24 hours. */
  shares: { sent: number; delivered: number; answered: number };
};

type Row = HealthRow & {
  max_daily_messages: number;
  first_today: number;
  known_today: number;
  direct_first_today: number;
  first_30th: Date | null;
  known_8th: Date | null;
  known_200th: Date | null;
  first_gap_ends: Date | null;
  gap_ends: Date | null;
  is_sending: boolean;
  last30: number;
  delivered30: number;
  last10: number;
  delivered10: number;
  firsts: number;
  answered: number;
  firsts_since_cap: number;
  lately: number;
  opted_out: number;
  firsts_of_day: number;
  last_at: Date | null;
  sent24: number;
  delivered24: number;
  answered24: number;
};

/** Beyond it a message says nothing of how a phone fares today. */
const judgedMs = 7 * 24 * 60 * 60_000;
const dayMs = 24 * 60 * 60_000;
const hourMs = 60 * 60_000;
/** Younger messages may still be delivered. */
const settledMs = hourMs;

export function momentOf(now: Date, timeZone: string): Moment {
  return { now, timeZone, day: allowanceDay(now, timeZone) };
}

/** The input of `maySend` for these phones, by their ids; phones without a row keep no pace. */
export async function loadSenders(
  ctx: Pick<Context, 'db'>,
  accountId: number,
  phoneIds: readonly number[],
  { now, day }: { now: Date; day: AllowanceDay },
): Promise<Map<number, StoredSender>> {
  if (phoneIds.length === 0) return new Map();
  const known = (place: number) => sql`
    (select s.at from phone_sends s where s.phone_id = h.phone_id and s.contact = 'known' and s.is_counted
      order by s.at desc offset ${sql.lit(place - 1)} limit 1)`;
  const judged = sql`select s.delivered_at from phone_sends s
       where s.phone_id = h.phone_id and s.is_counted and s.accepted_at is not null
         and s.at < ${new Date(now.getTime() - settledMs)}
         and s.at >= greatest(${new Date(now.getTime() - judgedMs)}::timestamptz, (h.facts ->> 'judgedFrom')::timestamptz)`;
  const { rows } = await sql<Row>`
    /* prepared: load-senders */
    select h.*, p.max_daily_messages, today.*, shares.*, gaps.*, judged30.*, judged10.*, asked.*, answers.*,
           (select min(w.at) from (
              select max(s.at) as at from phone_sends s
               where s.phone_id = h.phone_id and s.contact = 'first' and s.is_counted and s.at > ${new Date(now.getTime() - hourMs)}
               group by s.phone_key order by max(s.at) desc limit 30) w having count(*) = 30) as first_30th, ${known(8)} as known_8th, ${known(200)} as known_200th,
           exists (select from messages m where m.phone_id = h.phone_id and m.status = 'sending' and m.is_queued
                     and ${isUnsent('m')}) as is_sending,
           (select max(s.at) from phone_sends s where s.phone_id = h.phone_id) as last_at,
           (select count(distinct s.phone_key)::int from phone_sends s
             where s.phone_id = h.phone_id and s.contact = 'first' and s.is_counted
               and s.at > ${new Date(now.getTime() - dayMs)}) as firsts_of_day,
           (select count(distinct s.phone_key)::int from phone_sends s
             where s.phone_id = h.phone_id and s.contact = 'first' and s.is_counted
               and s.at >= (h.facts -> 'cap' ->> 'askedAt')::timestamptz) as firsts_since_cap
      from phone_health h
      join phones p on p.account_id = h.account_id and p.id = h.phone_id
     cross join lateral (
       select (count(distinct s.phone_key) filter (where s.contact = 'first'))::int as first_today,
              (count(*) filter (where s.contact = 'known'))::int as known_today,
              (count(*) filter (where s.contact = 'first' and s.gap_ms = 0))::int as direct_first_today
         from phone_sends s where s.phone_id = h.phone_id and s.is_counted and s.at >= ${day.startsAt}
     ) today
     cross join lateral (
       select max(greatest(s.at, s.accepted_at) + s.gap_ms * interval '1 millisecond') as gap_ends,
              max(greatest(s.at, s.accepted_at) + s.first_gap_ms * interval '1 millisecond') as first_gap_ends
         from phone_sends s where s.phone_id = h.phone_id and s.at > ${new Date(now.getTime() - settledMs)}
     ) gaps
     cross join lateral (
       select count(*)::int as last30, count(delivered_at)::int as delivered30 from (${judged} order by s.at desc limit 30) j
     ) judged30
     cross join lateral (
       select count(*)::int as last10, count(delivered_at)::int as delivered10 from (${judged} order by s.at desc limit 10) j
     ) judged10
     cross join lateral (
       select count(*)::int as firsts, count(answered_at)::int as answered
         from (select s.answered_at from phone_sends s
                where s.phone_id = h.phone_id and s.contact = 'first' and s.is_counted and s.accepted_at is not null
                  and s.at < ${new Date(now.getTime() - timeToAnswerMs)}
                order by s.at desc limit 50) j
     ) asked
     cross join lateral (
       select count(*)::int as lately, count(opted_out_at)::int as opted_out
         from (select s.opted_out_at from phone_sends s
                where s.phone_id = h.phone_id and s.is_counted and s.accepted_at is not null
                  and s.at >= ${new Date(now.getTime() - judgedMs)}
                order by s.at desc limit 50) j
     ) answers
     cross join lateral (
       select count(*)::int as sent24, count(s.delivered_at)::int as delivered24, count(s.answered_at)::int as answered24
         from phone_sends s
        where s.phone_id = h.phone_id and s.accepted_at is not null and s.at > ${new Date(now.getTime() - dayMs)}
     ) shares
     where h.account_id = ${accountId} and h.phone_id = any(${phoneIds}::bigint[])
  `.execute(ctx.db);
  return new Map(rows.map((row) => [row.phone_id, toSender(row)]));
}

function toSender(row: Row): StoredSender {
  const stored = readHealth(row);
  // Direct messages and those of the handset keep a phone from being idle, too.
  const isLater = row.last_at !== null && (stored.idleFrom === null || row.last_at > stored.idleFrom);
  return {
    row,
    directFirstToday: row.direct_first_today,
    health: isLater ? { ...stored, idleFrom: row.last_at } : stored,
    history: toHistory(row),
    fates: toFates(row),
    maxDaily: row.max_daily_messages,
    shares: { sent: row.sent24, delivered: row.delivered24, answered: row.answered24 },
  };
}

const toHistory = (row: Row): SendHistory => ({
  today: { first: row.first_today, known: row.known_today },
  first30th: row.first_30th,
  known8th: row.known_8th,
  known200th: row.known_200th,
  firstGapEndsAt: row.first_gap_ends,
  gapEndsAt: row.gap_ends,
  isSending: row.is_sending,
});

const toFates = (row: Row): Fates => ({
  last30: { count: row.last30, delivered: row.delivered30 },
  last10: { count: row.last10, delivered: row.delivered10 },
  firsts: { count: row.firsts, answered: row.answered },
  lately: { count: row.lately, optedOut: row.opted_out },
  firstsOfDay: row.firsts_of_day,
  firstsSinceCap: row.firsts_since_cap,
});
