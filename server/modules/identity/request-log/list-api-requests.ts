import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { z } from 'zod';
import type { ApiRequest, listApiRequests as contract } from '#contracts/request-log.ts';
import type { AccountContext } from '#server/context.ts';
import { partOf } from '#server/platform/db/like.ts';
import { getProject } from '#server/modules/identity/projects/index.ts';
import { requestsKeptMs } from './drop-old-requests.ts';
import type { RequestLogTables } from './tables.ts';

type ListApiRequests = z.output<typeof contract.query> & { projectId: number };
type Row = RequestLogTables['api_requests'] & { key_name: string | null };

/** A page of a project's requests, newest first. Throws 404. */
export async function listApiRequests(
  ctx: AccountContext,
  { projectId, after, limit, ...filter }: ListApiRequests,
): Promise<{ data: ApiRequest[]; next_cursor: string | null }> {
  await getProject(ctx, projectId);
  const since = new Date(ctx.clock.now().getTime() - requestsKeptMs);
  const conditions = [
    sql`(r.project_id = ${projectId} or r.project_id is null)`,
    sql`r.id >= record_id_at(${since}::timestamptz)`,
    ...(after === undefined ? [] : [sql`r.id < ${Number(after)}`]),
    ...conditionsOf(filter),
  ];
  const { rows } = await sql<Row>`
    select r.*, k.name as key_name
      from api_requests r
      left join project_keys k on k.account_id = r.account_id and k.id = r.key_id
     where r.account_id = ${ctx.account.id} and ${sql.join(conditions, sql` and `)}
     order by r.id desc
     limit ${limit + 1}
  `.execute(ctx.db);
  const data = rows.slice(0, limit).map(present);
  return { data, next_cursor: rows.length > limit ? String(data.at(-1)?.id) : null };
}

function conditionsOf(filter: Omit<ListApiRequests, 'projectId' | 'after' | 'limit'>): RawBuilder<unknown>[] {
  const { method, outcome, code, path, caller, created_after: from, created_before: before } = filter;
  const ranges = { success: [0, 400], refused: [400, 500], failed: [500, 1000] } as const;
  const range = outcome && ranges[outcome];
  return [
    method && sql`r.method = ${method}`,
    range && sql`r.status >= ${range[0]} and r.status < ${range[1]}`,
    code && sql`r.code = ${code}`,
    path && sql`r.path like ${partOf(path)}`,
    filter.request_id && sql`r.request_id = ${filter.request_id}`,
    caller && sql`r.caller = ${caller}`,
    filter.key_id !== undefined && sql`r.key_id = ${filter.key_id}`,
    from && sql`r.id >= record_id_at(${from}::timestamptz)`,
    before && sql`r.id < record_id_at(${before}::timestamptz)`,
  ].filter((condition) => typeof condition === 'object');
}

function present(row: Row): ApiRequest {
  const { id, request_id, path, status, code, duration_ms, caller, key_id, key_name, body, omitted } = row;
  return {
    id,
    created_at: row.created_at.toISOString(),
    request_id,
    method: row.method as ApiRequest['method'],
    path,
    status,
    code,
    duration_ms,
    caller,
    key_id,
    key_name,
    body,
    omitted,
  };
}
