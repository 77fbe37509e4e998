import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { processPart } from '#server/process-part.ts';
import type { LogEntry } from './entry-of.ts';

export type NewRequest = LogEntry & { omitted: number };

const dayMs = 24 * 60 * 60_000;

/** The days that the process has made partitions for. */
const daysOf = processPart(() => new Set<string>());

/**
 * Stores them in one statement; the days they are in are made where they are not there yet. Entries of an account that
 * has been deleted or moved to another cell meanwhile are dropped: nothing would ever remove them here.
 */
export async function storeRequests(ctx: Context, requests: readonly NewRequest[]): Promise<void> {
  await ensureDays(ctx, requests);
  const column = <K extends keyof NewRequest>(name: K) => requests.map((request) => request[name]);
  // Ids are of their moment. Two of one millisecond can meet the same number once the sequence has come round.
  await sql`
    /* prepared: store-requests */
    with given as materialized (
      select *, record_id_at(created_at) + nextval('record_id_seq'::regclass) as id
        from unnest(${column('account_id')}::bigint[], ${column('project_id')}::bigint[],
                    ${column('created_at')}::timestamptz[], ${column('request_id')}::text[],
                    ${column('method')}::text[], ${column('path')}::text[], ${column('status')}::int[],
                    ${column('code')}::text[], ${column('duration_ms')}::int[], ${column('caller')}::text[],
                    ${column('key_id')}::bigint[], ${column('body')}::text[], ${column('omitted')}::int[])
             as x (account_id, project_id, created_at, request_id, method, path, status, code, duration_ms, caller,
                   key_id, body, omitted)
    ), known as materialized (
      select id from accounts where id in (select account_id from given)
    )
    insert into api_requests (account_id, project_id, id, created_at, request_id, method, path, status, code,
                              duration_ms, caller, key_id, body, omitted)
    select account_id, project_id, id, created_at, request_id, method, path, status, code, duration_ms, caller, key_id,
           body, omitted
      from given where account_id in (select id from known)
    on conflict (account_id, id) do nothing
  `.execute(ctx.db);
}

async function ensureDays(ctx: Context, requests: readonly NewRequest[]): Promise<void> {
  const made = daysOf(ctx);
  const days = new Set(requests.map(({ created_at: at }) => at.toISOString().slice(0, 10)));
  for (const day of days) {
    if (made.has(day)) continue;
    const next = new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10);
    await sql`select ensure_request_log_days(${day}::date, ${next}::date)`.execute(ctx.db);
    made.add(day);
  }
}
