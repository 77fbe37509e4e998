import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { OutgoingText } from '#contracts/messages.ts';
import type { Actor, Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { liveNotifications } from '#server/modules/live/index.ts';
import { assignPhones } from '#server/modules/phone-numbers/index.ts';
import type { Assignment, RotationPhone } from '#server/modules/phone-numbers/index.ts';
import { profilesOfNumbers } from '#server/modules/profiles/index.ts';
import { notify, workerNotifications } from '#server/platform/db/channels.ts';
import { localDay } from '#server/platform/local-day.ts';
import type { MessageRow } from './present.ts';

/** A message that asks to be accepted; `key` is the caller's Idempotency-Key. */
export type Submission = OutgoingText & {
  key: string | undefined;
  /** Told the id before the message is committed, so that no news of it can be missed. */
  onId(messageId: number): void;
};

export type Acceptance =
  | { kind: 'accepted'; message: MessageRow }
  | { kind: 'replayed'; messageId: number }
  | { kind: 'idempotency_conflict' }
  | Exclude<Assignment, { kind: 'phone' }>;

type ProjectScope = { account: Actor; projectId: number };
type Scope = Context & ProjectScope;
type Accepted = { submission: Submission; phone: RotationPhone };

/**
 * Accepts messages of one project together, in one transaction: phones are chosen and counted, keys remembered and
 * messages stored, or none of it. Locking the project's phones first makes the choice and the count one step under
 * any concurrency, across processes too.
 */
export async function acceptMessages(
  ctx: Context,
  scope: ProjectScope,
  submissions: readonly Submission[],
): Promise<Acceptance[]> {
  return inTransaction({ ...ctx, ...scope }, async (tx) => {
    const now = tx.clock.now();
    const today = localDay(now, scope.account.timezone);
    const phones = await lockPhones(tx);
    const earlier = await findEarlier(tx, submissions);
    const isNew = ({ key }: Submission) => key === undefined || !earlier.has(key);
    const assignments = assignPhones(phones, { count: submissions.filter(isNew).length, today, now });
    const accepted: Accepted[] = [];
    const decisions = submissions.map((submission): Acceptance | Accepted => {
      if (!isNew(submission)) return replay(submission, earlier);
      const assignment = assignments.shift() ?? { kind: 'no_connected_phone' };
      if (assignment.kind !== 'phone') return assignment;
      const entry = { submission, phone: phoneOf(phones, assignment.phoneId) };
      accepted.push(entry);
      return entry;
    });
    const stored = await storeAccepted(tx, accepted, { now, today });
    return decisions.map((decision) => {
      if ('kind' in decision) return decision;
      const message = stored.shift();
      if (!message) throw new Error('An accepted message was not stored');
      decision.submission.onId(message.id);
      return { kind: 'accepted', message };
    });
  });
}

function phoneOf(phones: readonly RotationPhone[], phoneId: number): RotationPhone {
  const phone = phones.find(({ id }) => id === phoneId);
  if (!phone) throw new Error(`Phone ${phoneId} was assigned, but is not among those that were locked`);
  return phone;
}

async function lockPhones(tx: Scope): Promise<RotationPhone[]> {
  const { rows } = await sql<RotationPhone>`
    /* prepared: lock-phones */
    select id, number, connector, status, is_active, priority, max_daily_messages, count_day, daily_count,
           rotation_turn, restricted_until
      from phones
     where account_id = ${tx.account.id} and project_id = ${tx.projectId}
     order by id
       for update
  `.execute(tx.db);
  return rows;
}

type Earlier = ReadonlyMap<string, { messageId: number; fingerprint: Buffer }>;

async function findEarlier(tx: Scope, submissions: readonly Submission[]): Promise<Earlier> {
  const keys = submissions.flatMap(({ key }) => (key === undefined ? [] : [key]));
  if (keys.length === 0) return new Map();
  const rows = await tx.db
    .selectFrom('idempotency_keys')
    .select(['key', 'fingerprint', 'message_id'])
    .where('account_id', '=', tx.account.id)
    .where('project_id', '=', tx.projectId)
    .where('key', 'in', keys)
    .execute();
  return new Map(rows.map((row) => [row.key, { messageId: row.message_id, fingerprint: row.fingerprint }]));
}

function fingerprintOf({ to, message }: OutgoingText): Buffer {
  return createHash('sha256').update(`${to}\n${message}`).digest();
}

function replay(submission: Submission, earlier: Earlier): Acceptance {
  const first = submission.key === undefined ? undefined : earlier.get(submission.key);
  if (!first?.fingerprint.equals(fingerprintOf(submission))) return { kind: 'idempotency_conflict' };
  return { kind: 'replayed', messageId: first.messageId };
}

/** How often each phone is used in this batch, and in which place last: its turn follows. */
function countUses(accepted: readonly Accepted[]): { id: number; count: number; place: number }[] {
  const uses = new Map<number, { id: number; count: number; place: number }>();
  accepted.forEach(({ phone: { id } }, place) => uses.set(id, { id, count: (uses.get(id)?.count ?? 0) + 1, place }));
  return [...uses.values()];
}

/**
 * One statement for all that an acceptance writes. Answers the messages in the order they were accepted:
 * their ids grow with it.
 */
async function storeAccepted(
  tx: Scope,
  accepted: readonly Accepted[],
  at: { now: Date; today: string },
): Promise<MessageRow[]> {
  if (accepted.length === 0) return [];
  const uses = countUses(accepted);
  const recipients = accepted.map(({ submission }) => submission.to);
  const { account, projectId } = tx;
  const { rows } = await sql<MessageRow>`
    /* prepared: accept-messages */
    with input as (
      select x.*, next_record_id() as id
        from unnest(${accepted.map(({ phone }) => phone.id)}::bigint[], ${accepted.map(({ phone }) => phone.number)}::text[],
                    ${recipients}::text[],
                    ${accepted.map(({ submission }) => submission.message)}::text[],
                    ${accepted.map(({ submission }) => submission.key ?? null)}::text[],
                    ${accepted.map(({ submission }) => fingerprintOf(submission))}::bytea[])
             with ordinality as x (phone_id, sender, recipient, body, key, fingerprint, place)
    ), uses as (
      select * from unnest(${uses.map(({ id }) => id)}::bigint[], ${uses.map(({ count }) => count)}::int[],
                           ${uses.map(({ place }) => place)}::int[]) as x (phone_id, count, place)
    ), counted as (
      update phones p
         set daily_count = case when p.count_day = ${at.today}::date then p.daily_count else 0 end + uses.count,
             count_day = ${at.today}::date,
             message_count = p.message_count + uses.count,
             rotation_turn = latest.turn + 1 + uses.place,
             last_used_at = ${at.now}
        from uses, (select max(rotation_turn) as turn from phones
                     where account_id = ${account.id} and project_id = ${projectId}) as latest
       where p.account_id = ${account.id} and p.id = uses.phone_id
    ), remembered as (
      insert into idempotency_keys (account_id, project_id, key, fingerprint, message_id, created_at)
      select ${account.id}, ${projectId}, key, fingerprint, id, ${at.now} from input where key is not null
    ), stored as (
      insert into messages (account_id, project_id, id, phone_id, direction, recipient, sender, body, status, created_at,
                            profile_id)
      select ${account.id}, ${projectId}, id, phone_id, 'outgoing', recipient, sender, body, 'pending', ${at.now},
             profile.profile_id
        from input left join ${profilesOfNumbers(account.id, recipients)} as profile using (place)
      returning *
    )
    select stored.* from stored join input using (id) order by input.place
  `.execute(tx.db);
  await notify(tx.db, [
    ...workerNotifications(
      'outbox',
      uses.map(({ id }) => id),
    ),
    ...liveNotifications(account.id, {
      type: 'messages.changed',
      project_id: projectId,
      message_ids: rows.map(({ id }) => id),
    }),
  ]);
  return rows;
}
