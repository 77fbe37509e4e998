import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { EntryFilter, RecipientStatus } from '#contracts/campaigns.ts';
import type { Context } from '#server/context.ts';
import { arrivedMessages } from '#server/modules/messaging/messages/index.ts';
import { numberPattern, searchPredicate } from '#server/modules/audience/profiles/index.ts';
import { entryCount } from './entry-counts.ts';
import type { EntryCounts } from './entry-counts.ts';
import { answersOf, hasStatus } from './entry-status.ts';
import type { SourceEntries } from './entry-status.ts';
import { entriesOf, ofSource } from './ledger.ts';

/** Both undefined: all entries. */
export type Narrowing = { status?: EntryFilter | undefined; search?: string | undefined };

/** The entries of a source that a narrowing finds. */
export type NarrowedEntries = {
  /** As a table `e`. */
  entries: RawBuilder<unknown>;
  /** The table that their count reads, or the status under which the source's row counts them. */
  counted: { table: RawBuilder<unknown> } | { status: RecipientStatus | undefined };
};

/** Up to so many finds their entries are looked up one by one; among more, the page's are met soon enough on the way. */
const mostLookedUp = 10_000;

export async function narrowEntries(
  ctx: Context,
  source: SourceEntries,
  { status, search = '' }: Narrowing,
): Promise<NarrowedEntries> {
  if (search !== '') {
    const entries = await foundEntries(ctx, source, { status, search });
    return { entries, counted: { table: entries } };
  }
  if (!isOutcome(status)) return { entries: entriesWith(source, hasStatus(source, status)), counted: { status } };
  const messages = messagesWith(source, status);
  const counted = { table: sql`(${messages}) as counted` };
  if (await isLong(ctx, counted.table)) return { entries: entriesWith(source, hasStatus(source, status)), counted };
  // The limit keeps the planner from reading all entries for a few messages: a ledger that was filled just now has no
  // statistics yet.
  const entries = sql`(
    select found.* from (${messages}) as m
     cross join lateral (
       select * from ${entriesOf(source.ledger)} where ${ofSource(source.ledger, source)} and message_id = m.message_id limit 1
     ) as found) as e`;
  return { entries, counted };
}

/** How many a narrowing finds; `counts` are those of the source's row. */
export async function countEntries(ctx: Context, { counted }: NarrowedEntries, counts: EntryCounts): Promise<number> {
  if ('status' in counted) return entryCount(counts, counted.status);
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${counted.table}`.execute(ctx.db);
  return rows[0]?.count ?? 0;
}

const entriesWith = (source: SourceEntries, condition: RawBuilder<boolean>) =>
  sql`(select * from ${entriesOf(source.ledger)} where ${ofSource(source.ledger, source)} and ${condition}) as e`;

type Outcome = Exclude<EntryFilter, RecipientStatus>;

/** Statuses that come from the messages, and not from the entries themselves. */
const isOutcome = (status: EntryFilter | undefined): status is Outcome =>
  status === 'delivered' || status === 'read' || status === 'replied' || status === 'clicked';

/** The messages of a source that came that far. */
function messagesWith(source: SourceEntries, outcome: Outcome): RawBuilder<unknown> {
  if (outcome === 'replied')
    return sql`select message_id from message_answers where ${answersOf(source.ledger, source)}`;
  if (outcome === 'clicked')
    return sql`select message_id from message_clicks where ${answersOf(source.ledger, source)}`;
  return arrivedMessages({ ...source, column: source.ledger.source }, outcome);
}

async function isLong({ db }: Context, table: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select from ${table} limit ${mostLookedUp + 1}) as found
  `.execute(db);
  return (rows[0]?.count ?? 0) > mostLookedUp;
}

/** By the people who are found, or by their own words, and by the number that their message goes to. */
async function foundEntries(
  ctx: Context,
  source: SourceEntries,
  { status, search }: { status: EntryFilter | undefined; search: string },
): Promise<RawBuilder<unknown>> {
  const { ledger, accountId } = source;
  const pattern = numberPattern(search);
  if (ledger.hasWords) {
    const isNumber = pattern === undefined ? undefined : sql<boolean>`phone like ${pattern}`;
    if (isNumber) return entriesOfKeys(source, status, [keysOfNumbers(source, isNumber)]);
    return entriesWith(source, sql`${ledger.hasWords(search)} and ${hasStatus(source, status)}`);
  }
  // Their number may be another one by now, or they may be gone: the one that it went to is found by how it begins, so
  // that an index leads there in a ledger of any size.
  const isNumber =
    pattern === undefined
      ? undefined
      : sql<boolean>`phone like ${pattern.replace(/^%/, '')} and message_id is not null`;
  const isPerson = sql`profiles.account_id = ${accountId} and ${searchPredicate(search)}`;
  if (await isLong(ctx, sql`profiles where ${isPerson}`)) {
    const isOfPerson = sql`exists (select from profiles where profiles.id = ${ledger.profileId} and ${isPerson})`;
    return entriesWith(source, sql`(${isOfPerson} or ${isNumber ?? sql`false`}) and ${hasStatus(source, status)}`);
  }
  // Fenced, as above: few people are found by their index, and their entries by theirs.
  const keysOfPeople = sql`
    select entry_key from (select id from profiles where ${isPerson} offset 0) as person
     cross join lateral (select ${sql.ref(ledger.key)} as entry_key from ${entriesOf(ledger)}
                          where ${ofSource(ledger, source)} and ${ledger.profileId} = person.id offset 0) as theirs`;
  return entriesOfKeys(source, status, [keysOfPeople, ...(isNumber ? [keysOfNumbers(source, isNumber)] : [])]);
}

/** In the order of an index, so that the planner prefers it to the key's. */
const keysOfNumbers = (source: SourceEntries, isNumber: RawBuilder<boolean>) => sql`
  select entry_key from (
    select ${sql.ref(source.ledger.key)} as entry_key from ${entriesOf(source.ledger)}
     where ${ofSource(source.ledger, source)} and ${isNumber} order by phone offset 0
  ) as numbered`;

const entriesOfKeys = (
  source: SourceEntries,
  status: EntryFilter | undefined,
  keys: readonly RawBuilder<unknown>[],
) => sql`(
  select entry.* from (${sql.join(keys, sql` union `)}) as found
   cross join lateral (
     select * from ${entriesOf(source.ledger)}
      where ${ofSource(source.ledger, source)} and ${sql.ref(source.ledger.key)} = found.entry_key
        and ${hasStatus(source, status)}
      limit 1
   ) as entry) as e`;
