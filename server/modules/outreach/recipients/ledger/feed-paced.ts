import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Tx } from '#server/context.ts';
import type { OutboxRoom } from '#server/modules/messaging/messages/index.ts';
import { countriesInDaytime } from '#server/modules/numbers/health/index.ts';
import type { FeedingSource, FeedStep, Candidate } from './feeding-source.ts';
import { knownOfNumber } from '../skip-reason.ts';
import { handOver, toCandidate } from './hand-over.ts';
import type { CandidateRow, HandedOver } from './hand-over.ts';
import { entriesOf, ofSource, prepared } from './ledger.ts';
import type { Ledger } from './ledger.ts';
import { carryOn, lookedForAgainAt, passOf, wantedNow } from './paced-pass.ts';
import type { Wanted } from './paced-pass.ts';

/** How many entries one step looks at, and how many of them it offers to the phones. */
const looksAt = 2_000;
const offers = 50;

type PacedRoom = NonNullable<OutboxRoom['paced']>;

/** `nextAt`: when there may be more to hand over; undefined: at once. */
export type PacedFed = HandedOver & { nextAt: Date | undefined };

/**
 * Hands over to phones that keep a pace: those whom one of them may write to now, wherever they stand in the ledger.
 * Entries that may not be written to now, at night for example, are passed by and hold nobody up.
 */
export async function feedPaced(
  tx: Tx,
  ledger: Ledger,
  source: FeedingSource,
  { most, after, audience, paced }: FeedStep & { paced: PacedRoom },
): Promise<PacedFed> {
  const now = tx.clock.now();
  const ref = { accountId: source.account.id, sourceId: source.sourceId };
  const pass = passOf(tx, ledger, ref, source.passKey);
  const wanted = wantedNow(pass, paced.contacts, now);
  if (!wanted.first && !wanted.known) {
    return { ...nobody, nextAt: earlier(lookedForAgainAt(pass, paced.contacts), paced.nextAt) };
  }
  const from = Math.max(after, pass.after);
  const search = {
    after: from,
    limit: Math.min(offers, most),
    wanted,
    paced,
    audience: audience ?? sql<boolean>`true`,
  };
  const { candidates, lookedTo, isExhausted } = await findWritable(tx, ledger, source, search);
  const handedOver = await handOver(tx, ledger, source, candidates);
  const decided = [...handedOver.handled.map(({ key }) => key), ...handedOver.passed.keys];
  const isCutShort = handedOver.refusal !== undefined;
  const step = {
    after: isCutShort ? Math.max(from, ...decided) : lookedTo,
    wanted,
    hasFound: handedOver.handled.length > 0,
    hasPassed: true,
    nextAt: handedOver.passed.nextAt,
    isExhausted: isExhausted && !isCutShort,
  };
  carryOn(pass, step, now);
  return { ...handedOver, nextAt: undefined };
}

const nobody: HandedOver = { handled: [], refusal: undefined, passed: { keys: [], nextAt: undefined, why: undefined } };

const earlier = (a: Date | undefined, b: Date | undefined) => (a && b ? (a < b ? a : b) : (a ?? b));

type Search = { after: number; limit: number; wanted: Wanted; paced: PacedRoom; audience: RawBuilder<boolean> };
type Found = { candidates: Candidate[]; lookedTo: number; isExhausted: boolean };

/** The next entries that a phone may write to, as far as kind and country tell; `maySend` decides. */
async function findWritable(
  tx: Tx,
  ledger: Ledger,
  { account, sourceId, rules }: FeedingSource,
  { after, limit, wanted, paced, audience }: Search,
): Promise<Found> {
  const key = sql.ref(ledger.key);
  const countries = paced.isDaytimeOnly ? countriesInDaytime(account.timezone, tx.clock.now()) : undefined;
  const inDaytime = countries ? sql`(p.country_code is null or p.country_code = any(${countries}::text[]))` : sql`true`;
  const { rows } = await sql<CandidateRow & { looked_to: number | null; looked_at: number; entry_key: number | null }>`
    ${prepared(ledger, rules.topic_id === null ? 'find-writable' : 'find-writable-of-topic')}
    with looked as materialized (
      select ${key} as entry_key, ${ledger.profileId} as entry_profile_id from ${entriesOf(ledger)}
       where ${ofSource(ledger, { accountId: account.id, sourceId })} and ${key} > ${after} and status = 'waiting'
       order by ${key}
       limit ${looksAt}
    ), found as (
      select e.entry_key, e.entry_profile_id, p.*, ${knownOfNumber(sql`${account.id}::bigint`, sql`p.phone`, rules.topic_id)}
        from looked e
        left join lateral (
          select r.*,
                 exists (select from phone_contacts c
                          where c.phone_id = any(${paced.phoneIds}::bigint[]) and c.phone_key = phone_key(r.phone)
                            and c.wrote_at is not null) as is_known
            from (${ledger.recipientOf({ accountId: account.id, sourceId, audience })}) r
        ) as p on true
       where p.id is null or (p.is_known and ${wanted.known}) or (not p.is_known and ${wanted.first} and ${inDaytime})
       order by e.entry_key
       limit ${limit}
    )
    select f.*, s.looked_to, s.looked_at
      from (select max(entry_key) as looked_to, count(*)::int as looked_at from looked) s
      left join found f on true
     order by f.entry_key
  `.execute(tx.db);
  const candidates = rows.flatMap((row) => (row.entry_key === null ? [] : [toCandidate(row)]));
  const { looked_to: end = null, looked_at: count = 0 } = rows[0] ?? {};
  const isFull = candidates.length === limit;
  return {
    candidates,
    lookedTo: isFull ? (candidates.at(-1)?.key ?? after) : (end ?? after),
    isExhausted: !isFull && count < looksAt,
  };
}
