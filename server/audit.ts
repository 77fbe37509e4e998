import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { ActName, ProductAct, TargetType } from '#contracts/audit-acts.ts';
import type { Endpoint } from '#contracts/endpoint.ts';
import type { Actor } from '#server/actor.ts';
import type { AuditTables } from '#server/audit-tables.ts';
import { auditedTargets } from '#server/audit-targets.ts';
import { inTransaction } from '#server/context.ts';
import type { AccountContext, Act, Context, Tx } from '#server/context.ts';
import { isInScope } from '#server/scope.ts';

type AuditRow = Selectable<AuditTables['audit_events']>;
type Changes = AuditRow['changes'];
type Row = Readonly<Record<string, unknown>>;

/** The thing that an act is about, as it is now. */
type Target = { id: number | string | undefined; row: Row | undefined };

type Asked = { params: unknown; address: string; program: string | undefined; requestId: string };

const longestProgram = 300;

/**
 * Does what an endpoint asks for, with its row in the audit log as its contract says (`Audit`). Work that fails leaves
 * no row, but for an intent.
 */
export async function withAct<C extends Context>(
  ctx: C,
  { audit }: Endpoint,
  asked: Asked,
  work: (ctx: C) => Promise<unknown>,
): Promise<unknown> {
  if (audit === undefined || audit === 'nothing') return work(ctx);
  const name = typeof audit === 'string' ? audit : audit.act;
  const acting = { ...ctx, act: actOf(name, asked) };
  if (typeof audit === 'string') return recordingAct(acting, work);
  if (audit.row === 'of_people') return ctx.actor.kind === 'user' ? recordingAct(acting, work) : work(ctx);
  if (audit.row === 'none' || audit.intent === undefined) return work(acting);
  const before = await readTarget(acting, acting.act);
  if (!isVisible(ctx, name, before)) return work(ctx);
  // The work asks others before it commits: the row of the intent stands whatever becomes of it.
  await recordingAct({ ...acting, act: actOf(audit.intent, asked) }, async () => undefined);
  if (audit.row === 'by_verb') return work(acting);
  const answer = await work(ctx);
  await inTransaction(acting, (tx) => record(tx, { before, answer }));
  return answer;
}

/** A thing that is not there for the caller is a 404, and its intent is not recorded. */
function isVisible(ctx: Context, name: ActName, { id, row }: Target): boolean {
  if (id === undefined || auditedTargets[typeOf(name)].table === undefined) return true;
  const projectId = row?.['project_id'] ?? row?.['id'];
  return typeof projectId === 'number' && isInScope(ctx, projectId);
}

function actOf(name: ActName, { params, address, program = '', requestId }: Asked): Act {
  const { param = '' } = auditedTargets[typeOf(name)];
  const named = (params as Readonly<Record<string, unknown>> | undefined)?.[param];
  return {
    name,
    targetId: idOfPath(named),
    origin: { address, program: program.slice(0, longestProgram) || null, requestId },
  };
}

/** A number in a path counts by its digits: whose it is, is not known yet. */
function idOfPath(named: unknown): number | string | undefined {
  if (typeof named === 'number' || typeof named === 'string') return named;
  const isNumber = typeof named === 'object' && named !== null && 'written' in named;
  return isNumber ? String(named.written).replaceAll(/\D/g, '') : undefined;
}

const typeOf = (name: ActName) => name.slice(0, name.indexOf('.')) as TargetType;

/** Does the work and writes the row of the context's act in one transaction. */
export function recordingAct<C extends Context, T>(ctx: C, work: (tx: Tx<C>) => Promise<T>): Promise<T> {
  return inTransaction(ctx, async (tx) => {
    const { act } = tx;
    if (!act) return work(tx);
    const before = await readTarget(tx, act);
    const answer = await work(tx);
    await record(tx, { before, answer });
    return answer;
  });
}

async function record(tx: Tx, { before, answer }: { before: Target; answer: unknown }): Promise<void> {
  const { act } = tx;
  if (!act || !isOfAccount(tx)) return;
  const type = typeOf(act.name);
  const made = before.id === undefined ? idOf(answer, auditedTargets[type].param) : undefined;
  const after = await readTarget(tx, before.id === undefined ? { ...act, targetId: made } : act);
  const changes = changesOf(type, before.row, after.row);
  // A change without effect is no act.
  if (act.name.endsWith('.changed') && Object.keys(changes).length === 0) return;
  const target = await present(tx, type, { before, after });
  const who = await actorColumns(tx);
  await insertAct(tx, { accountId: tx.account.id, who, name: act.name, origin: act.origin, target, changes });
}

const isOfAccount = <C extends Context>(ctx: C): ctx is C & AccountContext => 'account' in ctx;

/** The id in the answer, or the number: of what was made. */
function idOf(answer: unknown, param?: string): number | string | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  if ('body' in answer) return idOf(answer.body, param);
  if (param === 'phone' && 'phone' in answer && typeof answer.phone === 'string') return answer.phone;
  return 'id' in answer && typeof answer.id === 'number' ? answer.id : undefined;
}

async function readTarget(ctx: Context, act: Pick<Act, 'name' | 'targetId'>): Promise<Target> {
  const type = typeOf(act.name);
  const { table, key = 'id' } = auditedTargets[type];
  const accountId = isOfAccount(ctx) ? ctx.account.id : undefined;
  const id = type === 'account' ? accountId : act.targetId;
  if (table === undefined || (id === undefined && key !== null)) return { id, row: undefined };
  const owner = type === 'account' ? 'id' : 'account_id';
  const { rows } = await sql<{ row: Row }>`
    select to_jsonb(t) as row from ${sql.table(table)} t
     where ${sql.ref(`t.${owner}`)} = ${accountId} and ${key === null ? sql`true` : sql`${sql.ref(`t.${key}`)} = ${id}`}
     limit 1
  `.execute(ctx.db);
  return { id, row: rows[0]?.row };
}

/** The fields whose values differ; values are shown where the target says so. */
function changesOf(type: TargetType, before: Row | undefined, after: Row | undefined): Changes {
  const { shows = [], hides = {} } = auditedTargets[type];
  const differs = (column: string) => !isDeepStrictEqual(before?.[column] ?? null, after?.[column] ?? null);
  const shown = shows
    .filter(differs)
    .map((column) => [column, { before: before?.[column] ?? null, after: after?.[column] ?? null }] as const);
  const hidden = Object.entries(hides)
    .filter(([, column]) => differs(column))
    .map(([name]) => [name, { before: null, after: null, hidden: true as const }] as const);
  return Object.fromEntries([...shown, ...hidden]);
}

type ActTarget = Pick<AuditRow, 'target_id' | 'target_name' | 'target_type'>;

async function present(
  tx: Tx<AccountContext>,
  type: TargetType,
  { before, after }: { before: Target; after: Target },
): Promise<ActTarget> {
  const { actor } = tx;
  if (type === 'user' || type === 'member') {
    const ofPath = type === 'member' ? before.id : undefined;
    const userId = ofPath ?? (actor.kind === 'user' ? actor.userId : undefined);
    return { target_type: type, target_id: Number(userId), target_name: await nameOfUser(tx, Number(userId)) };
  }
  const row = after.row ?? before.row;
  const name = (auditedTargets[type].names ?? [])
    .map((column) => row?.[column])
    .find((each) => typeof each === 'string');
  const id = before.id ?? after.id;
  return {
    target_type: type,
    target_id: typeof id === 'number' ? id : null,
    target_name: typeof name === 'string' ? name.slice(0, 200) : typeof id === 'string' ? id : null,
  };
}

async function nameOfUser(ctx: Context, userId: number): Promise<string | null> {
  const user = await ctx.db.selectFrom('users').select('name').where('id', '=', userId).executeTakeFirst();
  return user?.name ?? null;
}

async function actorColumns(ctx: Context): Promise<Pick<AuditRow, 'actor_type' | 'actor_id' | 'actor_name'>> {
  const { actor } = ctx;
  switch (actor.kind) {
    case 'user':
      return { actor_type: 'user', actor_id: actor.userId, actor_name: (await nameOfUser(ctx, actor.userId)) ?? '' };
    case 'api_key':
      return { actor_type: 'api_key', actor_id: null, actor_name: await nameOfAccountKey(ctx, actor) };
    case 'project_key':
      return { actor_type: 'key', actor_id: actor.keyId, actor_name: await nameOfKey(ctx, actor) };
    case 'system':
    case 'anonymous':
      return dovepost;
  }
}

async function nameOfAccountKey(ctx: Context, actor: Extract<Actor, { kind: 'api_key' }>): Promise<string> {
  if (actor.keyId === null) return 'API key';
  const key = await ctx.db
    .selectFrom('account_keys')
    .select('name')
    .where('account_id', '=', actor.accountId)
    .where('id', '=', actor.keyId)
    .executeTakeFirst();
  return key?.name ?? 'API key';
}

async function nameOfKey(ctx: Context, actor: Extract<Actor, { kind: 'project_key' }>): Promise<string> {
  if (actor.keyId === null) return 'Auth key';
  const key = await ctx.db
    .selectFrom('project_keys')
    .select('name')
    .where('account_id', '=', actor.accountId)
    .where('id', '=', actor.keyId)
    .executeTakeFirst();
  return key?.name ?? 'Key';
}

type NewRow = {
  accountId: number;
  who: Pick<AuditRow, 'actor_type' | 'actor_id' | 'actor_name'>;
  name: ActName;
  origin?: Act['origin'];
  target: ActTarget;
  changes?: Changes;
};

async function insertAct(tx: Tx, { accountId, who, name, origin, target, changes = {} }: NewRow): Promise<void> {
  await tx.db
    .insertInto('audit_events')
    .values({
      account_id: accountId,
      created_at: tx.clock.now(),
      ...who,
      action: name,
      ...target,
      changes: JSON.stringify(changes),
      address: origin?.address ?? null,
      program: origin?.program ?? null,
      request_id: origin?.requestId ?? null,
    })
    .execute();
}

/** The act of a request that named no account, by somebody who is a member now. */
export async function recordJoining(tx: Tx, { accountId, userId }: { accountId: number; userId: number }) {
  const { act } = tx;
  if (!act) return;
  const userName = await nameOfUser(tx, userId);
  const who = { actor_type: 'user', actor_id: userId, actor_name: userName ?? '' } as const;
  const target = { target_type: 'member', target_id: userId, target_name: userName } as const;
  await insertAct(tx, { accountId, who, name: act.name, origin: act.origin, target });
}

const dovepost = { actor_type: 'system', actor_id: null, actor_name: 'Dovepost' } as const;

/** An act of the product itself, such as a campaign that it pauses. */
export async function recordOwnAct(
  tx: Tx,
  { accountId, name, id, named }: { accountId: number; name: ProductAct; id: number; named: string | null },
): Promise<void> {
  const target = { target_type: typeOf(name), target_id: id, target_name: named };
  await insertAct(tx, { accountId, who: dovepost, name, target });
}
