import { sql } from 'kysely';
import type { RawBuilder, Selectable } from 'kysely';
import { Readable } from 'node:stream';
import type { z } from 'zod';
import { AlertKind, alertTitles } from '#contracts/alerts.ts';
import { mostCountedEvents } from '#contracts/audit.ts';
import type { AuditEvent, AuditFilter, listAuditEvents as contract } from '#contracts/audit.ts';
import type { AuditTables } from '#server/audit-tables.ts';
import { auditedTargets } from '#server/audit-targets.ts';
import type { AccountContext } from '#server/context.ts';
import { partOf } from '#server/platform/db/like.ts';
import { pagedCsv } from '#server/platform/csv/paged-csv.ts';
import { requireKnownAction } from './require-known-action.ts';

type Filter = z.output<typeof AuditFilter>;
type Row = Selectable<AuditTables['audit_events']>;

/** A page, newest first. Throws 422 for an action that does not exist. */
export async function listAuditEvents(
  ctx: AccountContext,
  { after, limit, count, ...filter }: z.output<typeof contract.query>,
): Promise<{ data: AuditEvent[]; next_cursor: string | null; total?: number }> {
  if (filter.action !== undefined) requireKnownAction(filter.action);
  const rows = await read(ctx, filter, { after: after === undefined ? undefined : Number(after), limit: limit + 1 });
  const data = rows.slice(0, limit).map(present);
  const page = { data, next_cursor: rows.length > limit ? String(data.at(-1)?.id) : null };
  return count === 'true' ? { ...page, total: await countEvents(ctx, filter) } : page;
}

async function countEvents(ctx: AccountContext, filter: Filter): Promise<number> {
  const conditions = [sql`account_id = ${ctx.account.id}`, ...conditionsOf(filter)];
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from audit_events where ${sql.join(conditions, sql` and `)} limit ${mostCountedEvents + 1}) counted
  `.execute(ctx.db);
  return rows[0]?.count ?? 0;
}

const columns = [
  'created_at',
  'actor_type',
  'actor_id',
  'actor_name',
  'action',
  'target_type',
  'target_id',
  'target_name',
  'changes',
  'address',
  'program',
  'request_id',
] as const;

export async function exportAuditEvents(ctx: AccountContext, filter: Filter): Promise<Readable> {
  if (filter.action !== undefined) requireKnownAction(filter.action);
  const csv = pagedCsv({
    header: columns,
    rowsPerRead: 500,
    read: (after, limit) => read(ctx, filter, { after, limit }),
    keyOf: ({ id }) => id,
    cellsOf: (row) => columns.map((column) => cellOf(row[column])),
  });
  return Readable.from(csv, { objectMode: false });
}

function cellOf(value: Row[(typeof columns)[number]]): string {
  if (value === null) return '';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

async function read(
  ctx: AccountContext,
  filter: Filter,
  { after, limit }: { after: number | undefined; limit: number },
): Promise<Row[]> {
  const conditions = [
    sql`account_id = ${ctx.account.id}`,
    ...(after === undefined ? [] : [sql`id < ${after}`]),
    ...conditionsOf(filter),
  ];
  const { rows } = await sql<Row>`
    select * from audit_events where ${sql.join(conditions, sql` and `)} order by id desc limit ${limit}
  `.execute(ctx.db);
  return rows.map(withTitle);
}

/** An alert is stored by its kind. */
const withTitle = (row: Row): Row =>
  row.target_type === 'alert' ? { ...row, target_name: titleOf(row.target_name) } : row;

const titleOf = (name: string | null): string | null => {
  const kind = AlertKind.safeParse(name);
  return kind.success ? alertTitles[kind.data] : name;
};

function conditionsOf({
  actor,
  action,
  target,
  project_id: projectId,
  search = '',
  created_after: from,
  created_before: to,
}: Filter): RawBuilder<unknown>[] {
  const [actorType, actorId] = partsOf(actor !== undefined && /^\d/.test(actor) ? `user:${actor}` : actor);
  const [targetType, targetId] = partsOf(target);
  const isOne = action !== undefined && /\../.test(action);
  return [
    ...(actorType === undefined ? [] : [sql`actor_type = ${actorType}`]),
    ...(actorId === undefined ? [] : [sql`actor_id = ${actorId}`]),
    ...(targetType === undefined ? [] : [sql`target_type = ${targetType}`]),
    ...(targetId === undefined ? [] : [sql`target_id = ${targetId}`]),
    ...(action === undefined ? [] : [isOne ? sql`action = ${action}` : sql`starts_with(action, ${typed(action)})`]),
    ...(projectId === undefined ? [] : [concernsProject(projectId)]),
    ...wordsOf(search).map(
      (word) => sql`audit_words(actor_name, target_name, action, address) like fold_text(${partOf(word)})`,
    ),
    ...(from === undefined ? [] : [sql`created_at >= ${from}::timestamptz`]),
    ...(to === undefined ? [] : [sql`created_at < ${to}::timestamptz`]),
  ];
}

/** A number is stored by its digits, however it is written. */
const wordsOf = (search: string): string[] =>
  /^\+?[\d\s\-()]{5,}$/.test(search)
    ? [search.replaceAll(/\D/g, '')]
    : search.split(/\s+/).filter((word) => word !== '');

const ofProjects = Object.entries(auditedTargets).flatMap(([type, { table, isOfProject }]) =>
  isOfProject && table !== undefined ? [{ type, table }] : [],
);

/** Each row looks its thing up; a thing that is gone is known by the project that its change names. */
function concernsProject(projectId: number): RawBuilder<unknown> {
  const things = ofProjects.map(
    ({ type, table }) => sql`(target_type = ${type} and exists (
      select from ${sql.table(table)} t
       where t.account_id = audit_events.account_id and t.id = target_id and t.project_id = ${projectId}))`,
  );
  return sql`(${sql.join(
    [
      sql`(target_type = 'project' and target_id = ${projectId})`,
      sql`changes #>> '{project_id,before}' = ${String(projectId)}`,
      sql`changes #>> '{project_id,after}' = ${String(projectId)}`,
      ...things,
    ],
    sql` or `,
  )})`;
}

const typed = (action: string) => `${action.replace('.', '')}.`;

function partsOf(text: string | undefined): [type: string | undefined, id: number | undefined] {
  const [type, id] = text?.split(':') ?? [];
  return [type, id === undefined ? undefined : Number(id)];
}

function present(row: Row): AuditEvent {
  return {
    id: row.id,
    created_at: row.created_at.toISOString(),
    actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name },
    action: row.action,
    target: { type: row.target_type, id: row.target_id, name: row.target_name },
    changes: row.changes,
    address: row.address,
    program: row.program,
    request_id: row.request_id,
  };
}
