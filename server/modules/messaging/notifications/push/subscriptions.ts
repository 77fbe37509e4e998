import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { NewPushSubscription, PushSubscription } from '#contracts/notifications.ts';
import type { UserContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { InvalidInputError, NotFoundError } from '#server/platform/errors.ts';
import { forbiddenUrlReason } from '#server/platform/http/address-policy.ts';
import type { PushSubscriptionsTable } from '../tables.ts';
import { getPushKeys } from './push-keys.ts';
import type { Selectable } from 'kysely';

/** Browsers of a person; one more takes the place of the oldest. */
const mostOfPerson = 20;
const longestProgram = 300;

const hashOf = (endpoint: string) => createHash('sha256').update(endpoint).digest();

/** Bound to its row by what makes it unique. */
export const sealContextOf = ({ account_id, user_id, endpoint_hash: hash }: Omit<SealedBy, 'sealed'>): string =>
  `push:${account_id}:${user_id}:${hash.toString('hex')}`;
export type SealedBy = Pick<PushSubscriptionsTable, 'account_id' | 'user_id' | 'endpoint_hash' | 'sealed'>;

function present(
  { actor }: UserContext,
  { id, program, created_at: at, session_hash: hash }: Selectable<PushSubscriptionsTable>,
): PushSubscription {
  return { id, program, created_at: at.toISOString(), current: hash.equals(actor.session.tokenHash) };
}

/** Browsers whose sessions have ended are pushed nothing, and are not listed. */
export async function listPushSubscriptions(
  ctx: UserContext,
): Promise<{ public_key: string; data: PushSubscription[] }> {
  const { publicKey } = await getPushKeys(ctx);
  const { rows } = await sql<Selectable<PushSubscriptionsTable>>`
    select p.* from push_subscriptions p join sessions s on s.token_hash = p.session_hash
     where p.account_id = ${ctx.account.id} and p.user_id = ${ctx.actor.userId} and s.expires_at > ${ctx.clock.now()}
     order by p.id
  `.execute(ctx.db);
  return { public_key: publicKey, data: rows.map((row) => present(ctx, row)) };
}

/** Throws 422 for an address that must not be called. */
export async function createPushSubscription(
  ctx: UserContext,
  { subscription, program }: { subscription: NewPushSubscription; program: string | undefined },
): Promise<PushSubscription> {
  const { isPrivateAllowed } = ctx.egress;
  const { endpoint } = subscription;
  const reason =
    forbiddenUrlReason(endpoint, isPrivateAllowed) ??
    (isPrivateAllowed || endpoint.startsWith('https:') ? undefined : 'The address must start with https://');
  if (reason !== undefined) throw new InvalidInputError([{ path: 'endpoint', message: reason }]);
  return inTransaction(ctx, async (tx) => {
    const own = { account_id: tx.account.id, user_id: tx.actor.userId, endpoint_hash: hashOf(endpoint) };
    const values = {
      ...own,
      session_hash: tx.actor.session.tokenHash,
      sealed: tx.secrets.seal(JSON.stringify(subscription), sealContextOf(own)),
      program: program?.slice(0, longestProgram) ?? null,
      created_at: tx.clock.now(),
    };
    const { session_hash, sealed, program: named } = values;
    const row = await tx.db
      .insertInto('push_subscriptions')
      .values(values)
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'user_id', 'endpoint_hash'])
          .doUpdateSet({ session_hash, sealed, program: named }),
      )
      .returningAll()
      .executeTakeFirstOrThrow();
    await sql`
      delete from push_subscriptions
       where account_id = ${tx.account.id} and user_id = ${tx.actor.userId}
         and id not in (select id from push_subscriptions
                         where account_id = ${tx.account.id} and user_id = ${tx.actor.userId}
                         order by id = ${row.id} desc, id desc limit ${mostOfPerson})
    `.execute(tx.db);
    return present(tx, row);
  });
}

export async function deletePushSubscription(
  { db, account, actor }: UserContext,
  { subscriptionId }: { subscriptionId: number },
): Promise<undefined> {
  const { numDeletedRows } = await db
    .deleteFrom('push_subscriptions')
    .where('account_id', '=', account.id)
    .where('user_id', '=', actor.userId)
    .where('id', '=', subscriptionId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw new NotFoundError('Subscription');
}
