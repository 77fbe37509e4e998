import { connectorTraits } from '#contracts/connectors.ts';
import { historyLimits } from '#contracts/phone-history.ts';
import type { HistoryState, PhoneHistory } from '#contracts/phone-history.ts';
import type { AccountContext, Context, Tx } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import type { PhoneHistoriesTable } from '../tables.ts';
import { getPhone } from '../queries.ts';

type Phone = { accountId: number; projectId: number; phoneId: number };

const dayMs = 24 * 60 * 60_000;
/** A handset that shares nothing further for so long is done. */
const silentMs = dayMs;
/** And once it said that this was all, for so long. */
const pauseMs = 10 * 60_000;

/** From when on a phone takes the chats of before its link over; undefined where its project does not want them. */
export async function takesHistorySince(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { accountId, phoneId }: Pick<Phone, 'accountId' | 'phoneId'>,
): Promise<Date | undefined> {
  const project = await db
    .selectFrom('phones')
    .innerJoin('projects', (join) =>
      join.onRef('projects.id', '=', 'phones.project_id').onRef('projects.account_id', '=', 'phones.account_id'),
    )
    .select('imports_history')
    .where('phones.account_id', '=', accountId)
    .where('phones.id', '=', phoneId)
    .executeTakeFirst();
  return project?.imports_history === true ? earliest(clock.now()) : undefined;
}

/** Messages lie in months, and there is none before the last one. */
function earliest(now: Date): Date {
  const lastMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1);
  return new Date(Math.max(now.getTime() - historyLimits.days * dayMs, lastMonth));
}

/** The handset begins to share; of the same link nothing is begun anew. */
export async function beginHistory(tx: Tx, { accountId, projectId, phoneId }: Phone): Promise<void> {
  const now = tx.clock.now();
  const fresh = {
    since: earliest(now),
    begun_at: now,
    changed_at: now,
    ended_at: null,
    percent: null,
    chats: 0,
    messages: 0,
    file_bytes: 0,
    outcome: null,
  };
  const running = await lockHistory(tx, { accountId, phoneId });
  if (running && isOfSameLink(running, now)) {
    await tx.db
      .updateTable('phone_histories')
      .set({ ended_at: running.outcome === 'full' ? running.ended_at : null, changed_at: now })
      .where('account_id', '=', accountId)
      .where('phone_id', '=', phoneId)
      .execute();
    return;
  }
  await tx.db
    .insertInto('phone_histories')
    .values({ account_id: accountId, phone_id: phoneId, ...fresh })
    .onConflict((conflict) => conflict.column('phone_id').doUpdateSet(fresh))
    .execute();
  await tell(tx, { accountId, projectId, phoneId });
}

/** A handset shares without long pauses after a link. */
const isOfSameLink = ({ ended_at, changed_at }: PhoneHistoriesTable, now: Date): boolean =>
  now.getTime() - changed_at.getTime() < (ended_at === null ? silentMs : pauseMs);

/** The room that is left; undefined where nothing is taken over. */
export async function roomOfHistory(
  tx: Tx,
  phone: Pick<Phone, 'accountId' | 'phoneId'>,
): Promise<{ since: Date; messages: number; chats: number; fileBytes: number } | undefined> {
  const row = await lockHistory(tx, phone);
  if (!row || row.outcome === 'full') return undefined;
  return {
    since: row.since,
    messages: historyLimits.messages - row.messages,
    chats: historyLimits.chats - row.chats,
    fileBytes: historyLimits.fileBytes - row.file_bytes,
  };
}

export async function growHistory(
  tx: Tx,
  { accountId, phoneId }: Pick<Phone, 'accountId' | 'phoneId'>,
  grown: { messages: number; chats: number; fileBytes: number },
): Promise<void> {
  await tx.db
    .updateTable('phone_histories')
    .set(({ eb }) => ({
      messages: eb('messages', '+', grown.messages),
      chats: eb('chats', '+', grown.chats),
      file_bytes: eb('file_bytes', '+', grown.fileBytes),
      changed_at: tx.clock.now(),
    }))
    .where('account_id', '=', accountId)
    .where('phone_id', '=', phoneId)
    .execute();
}

type Piece = { percent: number | undefined; isLost: boolean; isLast: boolean; isFull: boolean };

/** Another piece is over. Pieces come in any order: all of it is there once the handset said so and none waits. */
export async function noteHistoryPiece(
  tx: Tx,
  { accountId, projectId, phoneId }: Phone,
  { percent, isLost, isLast, isFull }: Piece,
): Promise<void> {
  const row = await lockHistory(tx, { accountId, phoneId });
  if (!row) return;
  const now = tx.clock.now();
  const outcome = isFull ? 'full' : isLost ? 'incomplete' : row.outcome;
  const reached = Math.max(row.percent ?? 0, Math.min(percent ?? 0, 100));
  const isOver = isFull || (isLast && reached >= 100);
  await tx.db
    .updateTable('phone_histories')
    .set({
      changed_at: now,
      outcome,
      ...(percent !== undefined && { percent: reached }),
      ...(isOver && { ended_at: row.ended_at ?? now }),
    })
    .where('account_id', '=', accountId)
    .where('phone_id', '=', phoneId)
    .execute();
  await tell(tx, { accountId, projectId, phoneId });
}

function lockHistory(tx: Tx, { accountId, phoneId }: Pick<Phone, 'accountId' | 'phoneId'>) {
  return tx.db
    .selectFrom('phone_histories')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('phone_id', '=', phoneId)
    .forUpdate()
    .executeTakeFirst();
}

const tell = (tx: Tx, { accountId, projectId, phoneId }: Phone): Promise<void> =>
  publishLive(tx, accountId, { type: 'phones.changed', project_id: projectId, phone_id: phoneId });

export async function getPhoneHistory(ctx: AccountContext, { phoneId }: { phoneId: number }): Promise<PhoneHistory> {
  const phone = await getPhone(ctx, phoneId);
  const where = { accountId: ctx.account.id, phoneId: phone.id };
  const isAskedAtMeta = connectorTraits[phone.connector].link === 'credentials';
  const isWanted = isAskedAtMeta || (await takesHistorySince(ctx, where)) !== undefined;
  const row = await ctx.db
    .selectFrom('phone_histories')
    .selectAll()
    .where('account_id', '=', where.accountId)
    .where('phone_id', '=', where.phoneId)
    .executeTakeFirst();
  return {
    is_wanted: isWanted,
    state: row ? stateOf(row, ctx.clock.now()) : 'none',
    percent: row?.percent ?? null,
    chats: row?.chats ?? 0,
    messages: row?.messages ?? 0,
    since: row?.since.toISOString() ?? null,
    begun_at: row?.begun_at.toISOString() ?? null,
    ended_at: row?.ended_at?.toISOString() ?? null,
  };
}

function stateOf({ ended_at, changed_at, outcome }: PhoneHistoriesTable, now: Date): HistoryState {
  if (ended_at !== null) return outcome ?? 'done';
  return now.getTime() - changed_at.getTime() < silentMs ? 'running' : 'incomplete';
}
