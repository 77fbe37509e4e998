import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { EndpointInput, EndpointResponse } from '#contracts/endpoint.ts';
import { PhoneStatus } from '#contracts/phone-numbers.ts';
import type { listPhoneNumbers as contract } from '#contracts/phone-numbers.ts';
import type { AccountContext } from '#server/context.ts';
import { inScope } from '#server/scope.ts';
import { getProject } from '#server/modules/identity/projects/index.ts';
import { hasWords, inOrderOf, readListPage } from '#server/platform/db/list-page.ts';
import type { ListKey } from '#server/platform/db/list-page.ts';
import { findHolds, findSenders, findSetups, toPhoneNumber } from './present.ts';
import { momentOf } from './queries.ts';
import { isResting } from './rotation/resting.ts';
import { findWithoutRoom } from './without-room.ts';

type Filters = EndpointInput<typeof contract>['query'];
/** Of one project, or of all. */
type ListPhoneNumbers = Filters & { projectId?: number };

const keys: Record<Filters['sort'], ListKey> = {
  created: { by: sql`s.id`, type: 'bigint', first: 'desc' },
  name: { by: sql`lower(coalesce(s.name, s.number, ''))`, type: 'text', first: 'asc' },
  status: {
    by: sql`array_position(${sql.lit(`{${PhoneStatus.options.join(',')}}`)}::text[], s.status)`,
    type: 'int',
    first: 'asc',
  },
  priority: { by: sql`s.priority`, type: 'int', first: 'desc' },
  last_used: { by: sql`coalesce(s.last_used_at, '-infinity')`, type: 'timestamptz', first: 'desc' },
};

type Filter = Partial<Pick<Filters, 'search' | 'status' | 'connector' | 'active'>> & { projectId?: number | undefined };

/** Over rows `s`, which the statement narrows to the account itself. */
export function phoneFilter(filter: Filter): RawBuilder<unknown> {
  const { projectId, search = '', status, connector, active } = filter;
  return sql`s.number is not null
    and ${projectId === undefined ? sql`true` : sql`s.project_id = ${projectId}`}
    and ${hasWords(sql`coalesce(s.name, '') || ' ' || coalesce(s.number, '')`, searchedText(search))}
    and ${status === undefined ? sql`true` : sql`s.status = ${status}`}
    and ${connector === undefined ? sql`true` : sql`s.connector = ${connector}`}
    and ${active === undefined ? sql`true` : sql`s.is_active = ${active === 'true'}`}`;
}

export async function listPhoneNumbers(
  ctx: AccountContext,
  { projectId, ...input }: ListPhoneNumbers,
): Promise<EndpointResponse<typeof contract>> {
  if (projectId !== undefined) await getProject(ctx, projectId);
  const where = sql`s.account_id = ${ctx.account.id} and ${inScope(ctx, 's.project_id')} and ${phoneFilter({ ...input, projectId })}`;
  const { ids, place } = await readListPage(ctx.db, { table: 'phones', where, key: keys[input.sort], input });
  const rows = await ctx.db
    .selectFrom('phones')
    .selectAll()
    .select(isResting.as('is_resting'))
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .execute();
  const day = momentOf(ctx);
  const senders = await findSenders(ctx, ctx.account.id, rows, day);
  // A project's key reads phones by the right to read messages, which says nothing of proxies and of webhooks' tokens.
  const shown = ctx.project ? rows.map((row) => ({ ...row, proxy: null })) : rows;
  const setups = ctx.project ? new Map() : await findSetups(ctx, ctx.account.id, rows);
  const holds = await findHolds(ctx, rows);
  const withoutRoom = await findWithoutRoom(ctx, rows);
  const partsOf = (id: number) => ({
    sender: senders.get(id),
    cloud: setups.get(id),
    official: holds.get(id),
    isWithoutRoom: withoutRoom.has(id),
  });
  return { data: inOrderOf(ids, shown).map((row) => toPhoneNumber(row, day, partsOf(row.id))), ...place };
}

/** Text that looks like a number is searched by its digits. */
function searchedText(search: string): string {
  return /^[+\d\s\-().]*\d[\d\s\-().]*$/.test(search) ? search.replaceAll(/\D/g, '') : search;
}
