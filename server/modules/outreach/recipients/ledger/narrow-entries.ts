import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { RecipientStatus } from '#contracts/campaigns.ts';
import type { EntryFilter } from '#contracts/campaigns.ts';
import type { EntryCode } from '#contracts/skip-codes.ts';
import type { Context } from '#server/context.ts';
import { arrivedMessages } from '#server/modules/messaging/messages/index.ts';
import { numberPattern, searchPredicate } from '#server/modules/audience/profiles/index.ts';
import { assertNever } from '#server/platform/errors.ts';
import { entryCount } from './entry-counts.ts';
import type { EntryCounts } from './entry-counts.ts';
import { hasCode, hasReason } from './entry-reason.ts';
import { answersOf, hasStatus } from './entry-status.ts';
import type { SourceEntries } from './entry-status.ts';
import { entriesOf, ofSource } from './ledger.ts';

/** All undefined: all entries. */
export type Narrowing = {
  status?: EntryFilter | undefined;
  error_code?: EntryCode | 'none' | undefined;
  reason?: string | undefined;
  link?: string | undefined;
  search?: string | undefined;
};

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
  narrowing: Narrowing,
): Promise<NarrowedEntries> {
  const { search = '', status, link, error_code: code, reason } = narrowing;
  const condition = isFound(source, narrowing);
  if (search !== '') {
    const entries = await foundEntries(ctx, source, { condition, search });
    return { entries, counted: { table: entries } };
  }
  const isByReason = code !== undefined || reason !== undefined;
  const messages = messagesWith(source, narrowing);
  if (messages === undefined) {
    const entries = entriesWith(source, condition);
    return { entries, counted: isByReason || isOutcome(status) ? { table: entries } : { status } };
  }
  const isAll = !isByReason && (link === undefined || status === undefined);
  const found = sql`(${messages}) as counted`;
  if (await isLong(ctx, found)) {
    const entries = entriesWith(source, condition);
    return { entries, counted: { table: isAll ? found : entries } };
  }
  // The limit keeps the planner from reading all entries for a few messages: a ledger that was filled just now has no
  // statistics yet.
  const entries = sql`(
    select found.* from (${messages}) as m
     cross join lateral (
       select * from ${entriesOf(source.ledger)}
        where ${ofSource(source.ledger, source)} and message_id = m.message_id and ${isAll ? sql`true` : condition} limit 1
     ) as found) as e`;
  return { entries, counted: { table: isAll ? found : entries } };
}

/** Over the entries' table, without the search. */
function isFound(source: SourceEntries, { status, error_code: code, reason, link }: Narrowing): RawBuilder<boolean> {
  const conditions = [
    hasStatus(source, status),
    ...(code === undefined ? [] : [hasCode(source, code)]),
    ...(reason === undefined ? [] : [hasReason(source, reason)]),
    ...(link === undefined
      ? []
      : [
          sql`(select true from (${openedBy(source, link)}) as o
               where o.message_id = ${sql.ref(`${source.ledger.entries}.message_id`)} limit 1)`,
        ]),
  ];
  return sql`${sql.join(conditions, sql` and `)}`;
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
  status !== undefined && !(RecipientStatus.options as readonly string[]).includes(status);

/** The messages of a source that came that far, or whose link was opened; undefined where the entries alone say it. */
function messagesWith(source: SourceEntries, { status, link }: Narrowing): RawBuilder<unknown> | undefined {
  if (link !== undefined) return openedBy(source, link);
  if (!isOutcome(status)) return undefined;
  switch (status) {
    case 'replied':
    case 'clicked':
    case 'opted_out':
      return sql`select message_id from ${sql.table(tablesOf[status])} where ${answersOf(source.ledger, source)}`;
    case 'delivered':
    case 'read':
      return arrivedMessages({ ...source, column: source.ledger.source }, status);
    default:
      return assertNever(status);
  }
}

const tablesOf = { replied: 'message_answers', clicked: 'message_clicks', opted_out: 'message_opt_outs' } as const;

/** The messages whose recipients opened a link. */
const openedBy = ({ ledger, accountId, sourceId }: SourceEntries, url: string): RawBuilder<unknown> => sql`
  select c.message_id from links l join link_clicks c on c.account_id = l.account_id and c.link_id = l.id
   where l.account_id = ${accountId} and l.source = ${sql.lit(ledger.name)} and l.source_id = ${sourceId}
     and md5(l.url) = md5(${url}) and l.url = ${url}`;

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
  { condition, search }: { condition: RawBuilder<boolean>; search: string },
): Promise<RawBuilder<unknown>> {
  const { ledger, accountId } = source;
  const pattern = numberPattern(search);
  if (ledger.hasWords) {
    const isNumber = pattern === undefined ? undefined : sql<boolean>`phone like ${pattern}`;
    if (isNumber) return entriesOfKeys(source, condition, [keysOfNumbers(source, isNumber)]);
    return entriesWith(source, sql`${ledger.hasWords(search)} and ${condition}`);
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
    return entriesWith(source, sql`(${isOfPerson} or ${isNumber ?? sql`false`}) and ${condition}`);
  }
  // Fenced, as above: few people are found by their index, and their entries by theirs.
  const keysOfPeople = sql`
    select entry_key from (select id from profiles where ${isPerson} offset 0) as person
     cross join lateral (select ${sql.ref(ledger.key)} as entry_key from ${entriesOf(ledger)}
                          where ${ofSource(ledger, source)} and ${ledger.profileId} = person.id offset 0) as theirs`;
  return entriesOfKeys(source, condition, [keysOfPeople, ...(isNumber ? [keysOfNumbers(source, isNumber)] : [])]);
}

/** In the order of an index, so that the planner prefers it to the key's. */
const keysOfNumbers = (source: SourceEntries, isNumber: RawBuilder<boolean>) => sql`
  select entry_key from (
    select ${sql.ref(source.ledger.key)} as entry_key from ${entriesOf(source.ledger)}
     where ${ofSource(source.ledger, source)} and ${isNumber} order by phone offset 0
  ) as numbered`;

const entriesOfKeys = (
  source: SourceEntries,
  condition: RawBuilder<boolean>,
  keys: readonly RawBuilder<unknown>[],
) => sql`(
  select entry.* from (${sql.join(keys, sql` union `)}) as found
   cross join lateral (
     select * from ${entriesOf(source.ledger)}
      where ${ofSource(source.ledger, source)} and ${sql.ref(source.ledger.key)} = found.entry_key
        and ${condition}
      limit 1
   ) as entry) as e`;
