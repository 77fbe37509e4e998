import { sql } from 'kysely';
import type { Metadata } from '#contracts/new-message.ts';
import type { Context, ProjectScope, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { liveNotifications } from '#server/modules/identity/live/index.ts';
import { lockPhones } from '#server/modules/numbers/phones/index.ts';
import { profilesOfNumbers } from '#server/modules/audience/profiles/index.ts';
import { withoutKnown } from '#server/modules/audience/suppressions/index.ts';
import { notify } from '#server/platform/db/notify.ts';
import { TooManyRequestsError } from '#server/platform/errors.ts';
import { isUnsent } from '#server/unsent.ts';
import { bodyOf, contentColumns, contentValues, extrasOf } from '../content/columns.ts';
import type { Carried } from '../content/columns.ts';
import { requireStored } from '../lost-commit.ts';
import { findEarlier, fingerprintOf, metadataText } from '../message-keys.ts';
import type { Earlier } from '../message-keys.ts';
import { deferredChannel } from '../channels.ts';

/** A message that is stored without a phone; `sendAt` is undefined for one that is due at once. */
export type DeferredMessage = Carried & {
  to: string;
  override_opt_out?: boolean | undefined;
  key: string | undefined;
  metadata: Metadata | undefined;
  sendAt: Date | undefined;
};

export type Deferral =
  | { kind: 'deferred'; messageId: number; status: 'scheduled' | 'deferred' }
  | { kind: 'opted_out' }
  | { kind: 'replayed'; messageId: number }
  | { kind: 'idempotency_conflict' };

/** The most messages that may wait for a project: beyond it their sending time would be unpredictable. */
const maxWaiting = 100_000;

/**
 * Stores messages that get their phones when they are due and a phone has room. Answers in the order of `texts`. Throws
 * 429 `too_many_waiting`; `CommitUnknownError` where the database went away and they may have been stored.
 */
export async function deferMessages(
  ctx: Context,
  scope: ProjectScope,
  texts: readonly DeferredMessage[],
): Promise<Deferral[]> {
  let decided: Deferral[] = [];
  try {
    await inTransaction(ctx, async (tx) => {
      decided = await storeNew(tx, scope, texts);
    });
  } catch (error) {
    const stored = decided.find((deferral) => deferral.kind === 'deferred');
    await requireStored(ctx, { scope, messageId: stored?.messageId, error });
  }
  return decided;
}

async function storeNew(tx: Tx, scope: ProjectScope, texts: readonly DeferredMessage[]): Promise<Deferral[]> {
  await requireRoom(tx, scope, texts.length);
  // Accepting messages under the same keys locks the phones, too.
  if (texts.some(({ key }) => key !== undefined)) await lockPhones({ ...tx, ...scope });
  const earlier = await findEarlier(tx, scope, texts);
  const keys = new Set(earlier.keys());
  const fresh = texts.filter(({ key }) => key === undefined || (!keys.has(key) && keys.add(key)));
  const optedOut = await findOptedOut(tx, scope, fresh);
  const free = fresh.filter((text) => !optedOut.has(text));
  const stored = new Map((await store(tx, scope, free)).map(({ place, id }) => [free[place - 1], id]));
  await announce(tx, scope, [...stored.values()]);
  const known = stored.size === texts.length ? earlier : await findEarlier(tx, scope, texts);
  return texts.map((text) => {
    if (optedOut.has(text)) return { kind: 'opted_out' };
    const messageId = stored.get(text);
    if (messageId === undefined) return replay(text, known);
    return { kind: 'deferred', messageId, status: text.sendAt ? 'scheduled' : 'deferred' };
  });
}

/** Finds recipients that are on the list now; later opt-outs withdraw their messages then. */
async function findOptedOut(
  tx: Tx,
  { account }: ProjectScope,
  texts: readonly DeferredMessage[],
): Promise<ReadonlySet<DeferredMessage>> {
  const asked = texts.filter(({ override_opt_out: overrides }) => overrides !== true);
  const numbers = asked.map((text) => ({ phone: text.to, text }));
  const free = new Set((await withoutKnown(tx, account.id, numbers)).map(({ text }) => text));
  return new Set(asked.filter((text) => !free.has(text)));
}

async function requireRoom(tx: Tx, { account, projectId }: ProjectScope, count: number): Promise<void> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting
      from (select from messages
             where account_id = ${account.id} and project_id = ${projectId} and status in ('scheduled', 'deferred')
               and phone_id is null and ${isUnsent()}
             limit ${maxWaiting}) as few
  `.execute(tx.db);
  if ((rows[0]?.waiting ?? 0) + count <= maxWaiting) return;
  throw new TooManyRequestsError('too_many_waiting', `At most ${maxWaiting} messages of a project may wait`, 60);
}

function replay(text: DeferredMessage, earlier: Earlier): Deferral {
  const first = text.key === undefined ? undefined : earlier.get(text.key);
  if (!first?.fingerprint.equals(fingerprintOf(text))) return { kind: 'idempotency_conflict' };
  return { kind: 'replayed', messageId: first.messageId };
}

/** `place` counts from 1. Messages that another request stored under their keys meanwhile are left out. */
async function store(
  tx: Tx,
  { account, projectId }: ProjectScope,
  texts: readonly DeferredMessage[],
): Promise<{ place: number; id: number }[]> {
  if (texts.length === 0) return [];
  const recipients = texts.map(({ to }) => to);
  const now = tx.clock.now();
  const { rows } = await sql<{ place: number; id: number }>`
    /* prepared: defer-messages */
    with input as (
      select x.*, next_record_id() as id
        from unnest(${recipients}::text[], ${texts.map(({ content }) => bodyOf(content))}::text[],
                    ${texts.map(({ key }) => key ?? null)}::text[], ${texts.map(fingerprintOf)}::bytea[],
                    ${texts.map(metadataText)}::jsonb[], ${texts.map(({ sendAt }) => sendAt ?? null)}::timestamptz[],
                    ${texts.map((text) => text.override_opt_out ?? false)}::boolean[],
                    ${texts.map(extrasOf)}::jsonb[])
             with ordinality as x (recipient, body, key, fingerprint, metadata, send_at, overrides, extras, place)
    ), profile as materialized (
      select * from ${profilesOfNumbers(account.id, recipients)} as profile
    ), remembered as (
      insert into idempotency_keys (account_id, project_id, key, fingerprint, message_id, created_at)
      select ${account.id}, ${projectId}, key, fingerprint, id, ${now} from input where key is not null order by key
      on conflict do nothing
      returning message_id
    ), stored as (
      insert into messages (account_id, project_id, id, direction, recipient, body, status, created_at, profile_id,
                            metadata, due_at, override_opt_out, from_lid, ${sql.raw(contentColumns)})
      select ${account.id}, ${projectId}, id, 'outgoing', recipient, body,
             case when send_at is null then 'deferred' else 'scheduled' end, ${now}, profile.profile_id, metadata,
             coalesce(send_at, ${now}::timestamptz), overrides, substring(recipient from '^lid:(.*)'),
             ${sql.raw(contentValues)}
        from input left join profile using (place)
       where key is null or id in (select message_id from remembered)
      returning id
    )
    select input.place::int, input.id from stored join input using (id) order by input.place
  `.execute(tx.db);
  return rows;
}

async function announce(tx: Tx, { account, projectId }: ProjectScope, messageIds: number[]): Promise<void> {
  if (messageIds.length === 0) return;
  await notify(tx.db, [
    { channel: deferredChannel, payload: JSON.stringify([account.id, projectId]) },
    ...liveNotifications(account.id, { type: 'messages.changed', project_id: projectId, message_ids: messageIds }),
  ]);
}
