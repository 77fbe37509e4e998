import { sql } from 'kysely';
import { maxEventNames } from '#contracts/events.ts';
import type { EndpointInput, EndpointResponse } from '#contracts/endpoint.ts';
import type { EventProperty, listEventNames as contract } from '#contracts/events.ts';
import { customFieldPath } from '#contracts/field-path.ts';
import type { AccountContext } from '#server/context.ts';
import { hasWords, inOrderOf, readListPage } from '#server/platform/db/list-page.ts';
import type { ListKey } from '#server/platform/db/list-page.ts';

type ListEventNames = EndpointInput<typeof contract>['query'];

const keys: Record<ListEventNames['sort'], ListKey> = {
  count: { by: sql`s.total`, type: 'bigint', first: 'desc' },
  name: { by: sql`lower(s.name)`, type: 'text', first: 'asc' },
  last: { by: sql`s.last_at`, type: 'timestamptz', first: 'desc' },
};

/** So many of the newest events of a name say which properties it has. */
const sampled = { ofOne: 200, ofMany: 10 };
const hourMs = 3_600_000;
const usualPageSize = 50;

export async function listEventNames(
  ctx: AccountContext,
  input: ListEventNames,
): Promise<EndpointResponse<typeof contract>> {
  const { name, search = '' } = input;
  const where = sql`s.account_id = ${ctx.account.id} and ${hasWords(sql`s.name`, search)}
                    ${name === undefined ? sql`` : sql`and s.name = ${name}`}`;
  // Never the whole list at once: of each name some events are read.
  const paged = { ...input, pageSize: input.pageSize ?? usualPageSize };
  const { ids, place } = await readListPage(ctx.db, {
    table: 'event_names',
    where,
    key: keys[input.sort],
    input: paged,
  });
  const rows = await ctx.db
    .selectFrom('event_names')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .execute();
  const hours = await findHours(ctx, ids);
  const properties = await findProperties(ctx, ids, name === undefined ? sampled.ofMany : sampled.ofOne);
  return {
    data: inOrderOf(ids, rows).map((row) => {
      const own = hours.get(row.id) ?? [];
      return {
        id: row.id,
        name: row.name,
        count: row.total,
        last_day: own.reduce((sum, n) => sum + n, 0),
        first_seen_at: row.first_at.toISOString(),
        last_seen_at: row.last_at.toISOString(),
        properties: properties.get(row.id) ?? [],
        hours: name === undefined ? [] : Array.from({ length: 24 }, (_, hour) => own[hour] ?? 0),
      };
    }),
    ...place,
    usage: await findUsage(ctx),
  };
}

async function findUsage(ctx: AccountContext): Promise<EndpointResponse<typeof contract>['usage']> {
  const row = await ctx.db
    .selectFrom('event_accounts')
    .select(['bytes', 'names'])
    .where('account_id', '=', ctx.account.id)
    .executeTakeFirst();
  return {
    names: row?.names ?? 0,
    most_names: maxEventNames,
    bytes: row?.bytes ?? 0,
    most_bytes: ctx.config.eventsQuotaBytes,
    kept_days: ctx.config.eventsKeptDays,
  };
}

/** By name: how many came in each of the last 24 hours, the current one last. */
async function findHours(ctx: AccountContext, ids: readonly number[]): Promise<Map<number, number[]>> {
  const newest = Math.floor(ctx.clock.now().getTime() / hourMs);
  const { rows } = await sql<{ id: number; hour: Date; n: number }>`
    select name_id as id, hour, n from event_hours
     where account_id = ${ctx.account.id} and name_id = any(${ids}::bigint[])
       and hour > ${new Date((newest - 24) * hourMs)}
  `.execute(ctx.db);
  const hours = new Map<number, number[]>();
  for (const { id, hour, n } of rows) {
    const own = hours.get(id) ?? Array.from({ length: 24 }, () => 0);
    own[hour.getTime() / hourMs - newest + 23] = n;
    hours.set(id, own);
  }
  return hours;
}

const mostProperties = 50;
const mostSamples = 5;
const longestSample = 80;

async function findProperties(
  ctx: AccountContext,
  ids: readonly number[],
  size: number,
): Promise<Map<number, EventProperty[]>> {
  const { rows } = await sql<{ id: number; properties: Record<string, unknown> }>`
    select n.id, e.properties
      from unnest(${ids}::bigint[]) as n (id)
     cross join lateral (select properties from events e
                          where e.account_id = ${ctx.account.id} and e.name_id = n.id
                          order by e.at desc, e.id desc limit ${size}) as e
  `.execute(ctx.db);
  const byName = Map.groupBy(rows, ({ id }) => id);
  return new Map(Array.from(byName, ([id, own]) => [id, propertiesOf(own.map(({ properties }) => properties))]));
}

type Found = { types: Set<EventProperty['types'][number]>; samples: Set<string>; count: number };

function propertiesOf(events: readonly Record<string, unknown>[]): EventProperty[] {
  const found = new Map<string, Found>();
  for (const properties of events) visit(properties, [], found);
  return [...found]
    .toSorted(([, a], [, b]) => b.count - a.count)
    .slice(0, mostProperties)
    .map(([path, { types, samples, count }]) => ({
      path,
      types: [...types],
      samples: [...samples],
      share: count / events.length,
    }));
}

function visit(value: Record<string, unknown>, above: readonly string[], found: Map<string, Found>): void {
  for (const [key, inner] of Object.entries(value)) {
    const own = [...above, key];
    const type = typeOf(inner);
    const path = customFieldPath(own).replace(/^custom_fields/, 'properties');
    const entry = found.get(path) ?? { types: new Set(), samples: new Set(), count: 0 };
    found.set(path, entry);
    entry.types.add(type);
    entry.count += 1;
    if (type === 'object') visit(inner as Record<string, unknown>, own, found);
    else if (type !== 'null' && entry.samples.size < mostSamples) {
      const text = typeof inner === 'string' ? inner : JSON.stringify(inner);
      entry.samples.add(text.slice(0, longestSample));
    }
  }
}

function typeOf(value: unknown): EventProperty['types'][number] {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object';
}
