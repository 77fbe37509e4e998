import { sql } from 'kysely';
import type { MessageSource } from '#contracts/message-content.ts';
import type { Metadata } from '#contracts/new-message.ts';
import type { Context, ProjectScope, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { liveNotifications } from '#server/modules/identity/live/index.ts';
import {
  assignPhones,
  countedDays,
  countUses,
  findPollers,
  findShutPhones,
  giveCountsBack,
  isLeaseHeld,
  judgeTemplates,
  lockPhones,
  noteBegun,
  outboxNotifications,
  phoneOf,
} from '#server/modules/numbers/phones/index.ts';
import type { RotationPhone, TemplateVerdict } from '#server/modules/numbers/phones/index.ts';
import { profilesOfNumbers } from '#server/modules/audience/profiles/index.ts';
import { isOutOfSourceTopic } from '#server/modules/audience/topics/index.ts';
import { findErased, optedOutAt, stoppedMarketingAt } from '#server/modules/audience/suppressions/index.ts';
import { columnsOf } from '#server/platform/db/any-length.ts';
import { notify } from '#server/platform/db/notify.ts';
import { isUnsent } from '#server/unsent.ts';
import { assignDirect } from './assign-direct.ts';
import type { DirectAssignment } from './assign-direct.ts';
import { bodyOf, businessAccountOf, contentColumns, contentValues, extrasOf } from './content/columns.ts';
import type { Carried } from './content/columns.ts';
import type { Handover, Reservation } from './handover.ts';
import { findEarlier, fingerprintOf, metadataText } from './message-keys.ts';
import type { Earlier } from './message-keys.ts';
import type { MessageRow } from './present.ts';
import { assignQueued } from './queued/assign-queued.ts';
import type { QueuedAssignment } from './queued/assign-queued.ts';

/** The source of a message: a campaign, a flow or a bulk run; none for a direct call. */
export type MessageOrigin = { campaignId?: number; flowId?: number; bulkRunId?: number };

/** A message that asks to be accepted; `key` is the caller's Idempotency-Key. */
export type Submission = Carried & {
  /** Digits, or `lid:` and a LID. */
  to: string;
  override_opt_out?: boolean | undefined;
  /** No other phone will do. */
  phoneId?: number | undefined;
  key: string | undefined;
  metadata?: Metadata | undefined;
  origin?: MessageOrigin;
  /** The recipient's profile, where that is known; else the profile with the number. */
  profileId?: number;
  /** Called with the id before the message is committed, so that no news of it is missed. */
  onId(messageId: number): void;
};

export type Acceptance =
  /** `reservation`: it is stored as being sent from here, once the transaction has committed. */
  | { kind: 'accepted'; message: MessageRow; reservation?: Reservation }
  | { kind: 'replayed'; messageId: number }
  | { kind: 'idempotency_conflict' }
  | { kind: 'opted_out' }
  /** Meta let no more marketing reach its recipient within the last 24 hours. */
  | { kind: 'marketing_capped' }
  | Exclude<QueuedAssignment | DirectAssignment, { kind: 'phone' }>;

type AcceptanceScope = ProjectScope & {
  /** A ledger hands them over, and no phone takes more than it has room for; else as many as come. */
  isQueued?: boolean;
  reserve?: Handover['reserve'];
  /** No other phone will do. */
  phoneId?: number;
  /** Where the origin does not say it. */
  source?: MessageSource;
};
type Scope = Context & AcceptanceScope;
type Accepted = { submission: Submission; phone: RotationPhone; reservation: Reservation | undefined };

/**
 * Accepts messages of one project together, in one transaction: phones are chosen and counted, keys remembered and
 * messages stored, or none of it. Locking the project's phones first makes the choice and the count one step under
 * any concurrency, across processes too. The statement that stores them leaves out whoever has opted out by then.
 */
export async function acceptMessages(
  ctx: Context,
  scope: AcceptanceScope,
  submissions: readonly Submission[],
): Promise<Acceptance[]> {
  return inTransaction({ ...ctx, ...scope }, async (tx) => {
    const now = tx.clock.now();
    const phones = (await lockPhones(tx)).filter(({ id }) => scope.phoneId === undefined || id === scope.phoneId);
    const earlier = await findEarlier(tx, tx, submissions);
    const isNew = ({ key }: Submission) => key === undefined || !earlier.has(key);
    const fresh = submissions.filter(isNew);
    const verdicts = await judgeTemplates(tx, scope.account.id, fresh.map(askedOf));
    const verdictOf = new Map(fresh.map((submission, index) => [submission, verdicts[index]]));
    const mayGo = (submission: Submission) => (verdictOf.get(submission)?.kind ?? 'now') === 'now';
    const open = fresh.filter(mayGo);
    const numbers = open.map(({ to }) => to);
    const addressed = open.map((submission) => ({
      to: submission.to,
      businessAccountId: businessAccountOf(submission.content),
      isPoll: isFreePoll(submission),
    }));
    const erased = await findErased(tx, tx.account.id, numbers);
    const shut = await findShutPhones(tx, phones, addressed);
    const assignments = scope.isQueued
      ? await assignQueued(tx, phones, { numbers, shut })
      : await assignDirect(tx, phones, { recipients: open, shut });
    const accepted: Accepted[] = [];
    const decisions = submissions.map((submission): Acceptance | Accepted => {
      if (!isNew(submission)) return replay(submission, earlier);
      const verdict = verdictOf.get(submission);
      if (verdict && verdict.kind !== 'now') return deniedBy(verdict, scope.isQueued ?? false);
      const assignment = assignments.shift() ?? { kind: 'no_connected_phone' };
      if (assignment.kind === 'window_closed' && submission.content.type === 'template')
        return { kind: 'no_connected_phone' };
      if (assignment.kind === 'window_closed' && isFreePoll(submission)) return whyNoPoller(tx, phones) ?? assignment;
      if (assignment.kind !== 'phone') return assignment;
      const reservation = scope.reserve?.(assignment.phoneId);
      const entry = { submission, phone: phoneOf(phones, assignment.phoneId), reservation };
      accepted.push(entry);
      return entry;
    });
    const stored = await storeAccepted(tx, accepted, { now, erased });
    const begun = accepted.flatMap((entry) => {
      const verdict = verdictOf.get(entry.submission);
      const { to, content } = entry.submission;
      const businessAccountId = businessAccountOf(content);
      const isBegun = stored.has(entry) && verdict?.kind === 'now' && verdict.begins;
      return isBegun && businessAccountId !== undefined ? [{ businessAccountId, to }] : [];
    });
    await noteBegun(tx, scope.account.id, begun);
    return decisions.map((decision) => ('kind' in decision ? decision : acceptanceOf(decision, stored.get(decision))));
  });
}

/** A template as Meta's allowances are asked about it; undefined for other content. */
const askedOf = ({ to, content }: Submission) =>
  content.type === 'template'
    ? { to, businessAccountId: content.template.business_account_id, category: content.template.category }
    : undefined;

/** A poll that any phone may send. */
const isFreePoll = ({ content, phoneId }: Submission) => content.type === 'poll' && phoneId === undefined;

/** Why none of the phones that can send a poll takes it; undefined where there are none. */
function whyNoPoller(tx: Tx<Scope>, phones: readonly RotationPhone[]): Acceptance | undefined {
  const pollers = findPollers(phones);
  if (pollers.length === 0) return undefined;
  const [alone] = assignPhones(pollers, { count: 1, now: tx.clock.now(), timezone: tx.account.timezone });
  return !alone || alone.kind === 'phone' || alone.kind === 'unwanted' ? { kind: 'must_write_first' } : alone;
}

/** Messages of ledgers wait; a caller is told. */
function deniedBy(verdict: Exclude<TemplateVerdict, { kind: 'now' }>, isQueued: boolean): Acceptance {
  if (verdict.kind === 'marketing_capped') return verdict;
  const { at, why } = verdict;
  return isQueued ? { kind: 'later', at, why } : { kind: 'phones_limited', until: verdict.until ?? at };
}

function acceptanceOf({ submission, reservation }: Accepted, message: MessageRow | undefined): Acceptance {
  if (!message) {
    reservation?.cancel();
    return { kind: 'opted_out' };
  }
  submission.onId(message.id);
  return { kind: 'accepted', message, ...(reservation && { reservation }) };
}

function replay(submission: Submission, earlier: Earlier): Acceptance {
  const first = submission.key === undefined ? undefined : earlier.get(submission.key);
  if (!first?.fingerprint.equals(fingerprintOf(submission))) return { kind: 'idempotency_conflict' };
  return { kind: 'replayed', messageId: first.messageId };
}

/**
 * A single statement for all rows that an acceptance writes. Answers the messages of those that were stored; their ids
 * grow in the order they were accepted. Recipients missing from the answer have opted out, and the phone chosen for
 * them gets its count back.
 */
async function storeAccepted(
  tx: Tx<Scope>,
  accepted: readonly Accepted[],
  { now, erased }: { now: Date; erased: ReadonlySet<string> },
): Promise<ReadonlyMap<Accepted, MessageRow>> {
  if (accepted.length === 0) return new Map();
  const of = columnsOf(accepted);
  const recipients = accepted.map(({ submission }) => submission.to);
  const chosen = accepted.map(({ phone }) => phone);
  const days = countedDays(chosen, { now, timezone: tx.account.timezone });
  const { account, projectId } = tx;
  const { rows } = await sql<MessageRow & { place: number }>`
    /* prepared: accept-messages */
    with input as (
      select x.*, next_record_id() as id
        from unnest(${of(({ phone }) => phone.id, 'bigint')}, ${of(({ phone }) => phone.number, 'text')},
                    ${of(({ submission }) => submission.to, 'text')},
                    ${of(({ submission }) => bodyOf(submission.content), 'text')},
                    ${of(({ submission }) => submission.key, 'text')},
                    ${of(({ submission }) => (submission.key === undefined ? null : fingerprintOf(submission)), 'bytea')},
                    ${of(({ submission }) => submission.profileId, 'bigint')},
                    ${of(({ submission }) => submission.origin?.campaignId, 'bigint')},
                    ${of(({ submission }) => submission.origin?.flowId, 'bigint')},
                    ${of(({ submission }) => submission.origin?.bulkRunId, 'bigint')},
                    ${of(({ reservation }) => reservation?.networkId, 'text')},
                    ${of(({ reservation }) => reservation?.lease.token, 'bigint')},
                    ${of(({ phone }) => days.get(phone.id), 'date')},
                    ${of(({ submission }) => metadataText(submission), 'jsonb')},
                    ${of(({ submission }) => submission.override_opt_out ?? false, 'boolean')},
                    ${of(({ submission }) => erased.has(submission.to), 'boolean')},
                    ${of(({ submission }) => extrasOf(submission), 'jsonb')})
             with ordinality as x (phone_id, sender, recipient, body, key, fingerprint, profile_id, campaign_id,
                                   flow_id, bulk_run_id, network_id, token, counted_day, metadata, overrides, is_erased, extras, place)
       where x.overrides
          or (not x.is_erased and ${optedOutAt(sql`${account.id}::bigint`, sql`x.recipient`)} is null
              and (coalesce(x.campaign_id, x.flow_id, x.bulk_run_id) is null
                        and (x.extras #>> '{source,details,template,category}') is distinct from 'marketing'
                   or ${stoppedMarketingAt(sql`${account.id}::bigint`, sql`x.recipient`)} is null)
              and not ${isOutOfSourceTopic('x', { account: sql`${account.id}::bigint`, phone: sql`x.recipient` })})
    ), free as materialized (
      -- Held here still, and nothing waits that it would overtake.
      select l.phone_id, l.token from phone_leases l
       where l.phone_id = any(${of(({ phone }) => phone.id, 'bigint')}) and ${isLeaseHeld()}
         and not exists (select from messages w where w.phone_id = l.phone_id and w.status = 'pending'
                              and ${isUnsent('w')}
                              and w.is_queued is not true)
    ), profile as materialized (
      select * from ${profilesOfNumbers(account.id, recipients)} as profile
    ), counted as (${countUses(tx, chosen, now)}
    ), remembered as (
      insert into idempotency_keys (account_id, project_id, key, fingerprint, message_id, created_at)
      select ${account.id}, ${projectId}, key, fingerprint, id, ${now} from input where key is not null
    ), stored as (
      insert into messages (account_id, project_id, id, phone_id, direction, recipient, sender, body, status, created_at,
                            profile_id, campaign_id, flow_id, bulk_run_id, counted_day, network_id, lease_token, metadata,
                            source, override_opt_out, is_queued, from_lid, ${sql.raw(contentColumns)})
      select ${account.id}, ${projectId}, id, input.phone_id, 'outgoing', recipient, sender, body,
             case when free.token is null then 'pending' else 'sending' end, ${now},
             coalesce(input.profile_id, profile.profile_id), campaign_id, flow_id, bulk_run_id, input.counted_day,
             case when free.token is not null then input.network_id end, free.token, metadata,
             ${tx.source ?? null}, overrides, ${tx.isQueued ?? null}::boolean, substring(recipient from '^lid:(.*)'),
             ${sql.raw(contentValues)}
        from input left join profile using (place)
             left join free on free.phone_id = input.phone_id and free.token = input.token
      returning *
    )
    select stored.*, input.place::int as place from stored join input using (id) order by input.place
  `.execute(tx.db);
  const stored = new Map(rows.flatMap(({ place, ...row }) => pairOf(accepted[place - 1], row)));
  const refused = accepted.filter((entry) => !stored.has(entry));
  const uncounted = refused.map(({ phone }) => ({ phone_id: phone.id, counted_day: days.get(phone.id) ?? null }));
  await giveCountsBack(tx, account.id, uncounted);
  if (rows.length === 0) return stored;
  await notify(tx.db, [
    ...outboxNotifications(phonesOfWaiting(rows)),
    ...liveNotifications(account.id, {
      type: 'messages.changed',
      project_id: projectId,
      message_ids: rows.map(({ id }) => id),
    }),
  ]);
  return stored;
}

const pairOf = (entry: Accepted | undefined, row: MessageRow): [Accepted, MessageRow][] =>
  entry ? [[entry, row]] : [];

/** Messages that are being sent already need no worker to be woken. */
function phonesOfWaiting(rows: readonly MessageRow[]): number[] {
  const waiting = rows.flatMap(({ status, phone_id }) => (status === 'pending' && phone_id !== null ? [phone_id] : []));
  return [...new Set(waiting)];
}
