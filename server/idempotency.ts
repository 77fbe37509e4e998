import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Endpoint } from '#contracts/endpoint.ts';
import type { AccountContext, Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { tryTurn } from '#server/platform/db/shared-names.ts';
import { ConflictError, InvalidInputError, ProblemError } from '#server/platform/errors.ts';

/** How long an answer is kept. */
const keptMs = 24 * 60 * 60_000;

/** Longer than any request takes: whoever claimed a key before that has died. */
const claimMs = 2 * 60_000;

/** Most work is done sooner, and a client which is told of a longer wait gives up. */
const askAgainMs = 5_000;

const maxKeyLength = 255;

export type StatusAndBody = { status: number; body: unknown };
/** `isReplay`: the work was done for an earlier request with the same key. */
export type IdempotentAnswer = StatusAndBody & { isReplay: boolean };

type Fingerprint = { fingerprint: Buffer; ofLastRelease: Buffer };
/** `digest`: of the bytes of an upload, which no fingerprint has. */
type Keyed = Fingerprint & { key: string; digest(): Promise<string | undefined> };
/** An answer as it is kept, with the digest of the upload that it was given for. */
type Kept = StatusAndBody & { digest?: string | undefined };

/** The request's key, where the endpoint takes one. */
export function readIdempotencyKey(
  { idempotency }: Endpoint,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): string | undefined {
  const key = headers['idempotency-key'];
  if (!idempotency || key === undefined) return undefined;
  if (typeof key === 'string' && key !== '' && key.length <= maxKeyLength) return key;
  throw new InvalidInputError([{ path: 'idempotency-key', message: `Use 1 to ${maxKeyLength} characters` }]);
}

/**
 * Includes the caller and the input: the same key with another request is the caller's mistake, and the answer for one
 * caller may hold more than another may read. `ofLastRelease` is how the last release stored it, without who asks.
 */
export function fingerprintOf(ctx: AccountContext, { method, path }: Endpoint, input: unknown): Fingerprint {
  const hash = (parts: unknown[]) => createHash('sha256').update(JSON.stringify(parts)).digest();
  return { fingerprint: hash([method, path, input, callerOf(ctx)]), ofLastRelease: hash([method, path, input]) };
}

function callerOf({ actor }: AccountContext): unknown[] {
  if (actor.kind === 'project_key') return [actor.kind, actor.projectId, actor.keyId];
  if (actor.kind === 'user') return [actor.kind, actor.userId];
  if (actor.kind === 'api_key' && actor.keyId !== null) return [actor.kind, actor.keyId];
  return [actor.kind];
}

/**
 * Does the work once for each key of an account, whatever the number of requests and processes. Work that is refused or
 * fails leaves the key free.
 */
export function once<C extends AccountContext>(
  ctx: C,
  keyed: Keyed & { mode: NonNullable<Endpoint['idempotency']> },
  work: (ctx: C) => Promise<StatusAndBody>,
): Promise<IdempotentAnswer> {
  return keyed.mode === 'atomic' ? onceInTransaction(ctx, keyed, work) : onceRecorded(ctx, keyed, work);
}

/** The lock goes with the connection, so that a process which dies in the middle leaves nothing behind. */
function onceInTransaction<C extends AccountContext>(
  ctx: C,
  keyed: Keyed,
  work: (ctx: C) => Promise<StatusAndBody>,
): Promise<IdempotentAnswer> {
  return inTransaction(ctx, async (tx) => {
    await lockKey(tx, keyed.key);
    const earlier = await findAnswer(tx, keyed);
    if (earlier) return { ...earlier, isReplay: true };
    const answer = await work(tx);
    await saveAnswer(tx, keyed, answer);
    return { ...answer, isReplay: false };
  });
}

async function onceRecorded<C extends AccountContext>(
  ctx: C,
  keyed: Keyed,
  work: (ctx: C) => Promise<StatusAndBody>,
): Promise<IdempotentAnswer> {
  const earlier = await inTransaction(ctx, async (tx) => {
    await lockKey(tx, keyed.key);
    const found = await findAnswer(tx, keyed);
    if (!found) await saveAnswer(tx, keyed, undefined);
    return found;
  });
  if (earlier) {
    const { digest, ...answer } = earlier;
    if (digest !== undefined && digest !== (await keyed.digest())) throw usedOtherwise();
    return { ...answer, isReplay: true };
  }
  try {
    const answer = await work(ctx);
    await saveAnswer(ctx, keyed, { ...answer, digest: await keyed.digest() });
    return { ...answer, isReplay: false };
  } catch (error) {
    await forget(ctx, keyed.key);
    throw error;
  }
}

async function lockKey(tx: Tx<AccountContext>, key: string): Promise<void> {
  if (!(await tryTurn(tx.db, `idempotency ${tx.account.id} ${key}`))) throw inProgress(1);
}

function inProgress(retryAfterSeconds: number): ProblemError {
  const message = 'A request with this Idempotency-Key is still being worked on';
  const headers = { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) };
  return new ProblemError(409, 'idempotency_in_progress', message, { headers });
}

async function findAnswer(
  tx: Tx<AccountContext>,
  { key, fingerprint, ofLastRelease }: Keyed,
): Promise<Kept | undefined> {
  const now = tx.clock.now().getTime();
  const row = await tx.db
    .selectFrom('idempotent_requests')
    .selectAll()
    .where('account_id', '=', tx.account.id)
    .where('key', '=', key)
    .where('created_at', '>', new Date(now - keptMs))
    .executeTakeFirst();
  if (!row) return undefined;
  if (!row.fingerprint.equals(fingerprint) && !row.fingerprint.equals(ofLastRelease)) {
    throw usedOtherwise();
  }
  if (row.status !== null && row.answer_sealed !== null) {
    const kept = tx.secrets.open(row.answer_sealed, sealContext(tx.account.id, key));
    const { body, digest } = JSON.parse(kept) as Partial<Kept>;
    return { status: row.status, body, digest };
  }
  const leftMs = row.created_at.getTime() + claimMs - now;
  if (leftMs > 0) throw inProgress(Math.min(leftMs, askAgainMs) / 1000);
  return undefined;
}

const usedOtherwise = () =>
  new ConflictError('idempotency_conflict', 'This Idempotency-Key was used with another request');

/** Without an answer it is a claim: the work has begun. Answers can hold keys, so that they are encrypted. */
async function saveAnswer(ctx: AccountContext, { key, fingerprint }: Keyed, answer: Kept | undefined): Promise<void> {
  const values = {
    fingerprint,
    status: answer?.status ?? null,
    answer_sealed: answer
      ? ctx.secrets.seal(JSON.stringify({ body: answer.body, digest: answer.digest }), sealContext(ctx.account.id, key))
      : null,
    created_at: ctx.clock.now(),
  };
  await ctx.db
    .insertInto('idempotent_requests')
    .values({ account_id: ctx.account.id, key, ...values })
    .onConflict((conflict) => conflict.columns(['account_id', 'key']).doUpdateSet(values))
    .execute();
}

const sealContext = (accountId: number, key: string) => `account:${accountId}:idempotency:${key}`;

async function forget(ctx: AccountContext, key: string): Promise<void> {
  await ctx.db
    .deleteFrom('idempotent_requests')
    .where('account_id', '=', ctx.account.id)
    .where('key', '=', key)
    .where('status', 'is', null)
    .execute();
}

/** Removes answers that nobody can get any more. */
export async function removeOldAnswers(ctx: Context): Promise<void> {
  await ctx.db
    .deleteFrom('idempotent_requests')
    // account-wide: time alone decides, whosever they are.
    .where('created_at', '<', new Date(ctx.clock.now().getTime() - keptMs))
    .execute();
}

const resealedAtOnce = 500;

/** Encrypts every kept answer anew that is not under the current key; answers how many. */
export async function resealAnswers(ctx: Context): Promise<number> {
  let count = 0;
  for (let after = { account_id: 0, key: '' }; ;) {
    // account-wide: the secret key belongs to the operator, not to an account.
    const { rows } = await sql<{ account_id: number; key: string; answer_sealed: Buffer }>`
      select account_id, key, answer_sealed from idempotent_requests
       where (account_id, key) > (${after.account_id}, ${after.key}) and answer_sealed is not null
       order by account_id, key limit ${resealedAtOnce}
    `.execute(ctx.db);
    for (const { account_id: accountId, key, answer_sealed: before } of rows) {
      const sealed = ctx.secrets.reseal(before, sealContext(accountId, key));
      if (!sealed) continue;
      await ctx.db
        .updateTable('idempotent_requests')
        .set({ answer_sealed: sealed })
        .where('account_id', '=', accountId)
        .where('key', '=', key)
        // An answer that was replaced meanwhile is already under the current key.
        .where('answer_sealed', '=', before)
        .execute();
      count += 1;
    }
    const last = rows.at(-1);
    if (!last || rows.length < resealedAtOnce) return count;
    after = last;
  }
}
