import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { WaitingReason } from '#contracts/waiting-reason.ts';
import type { Tx } from '#server/context.ts';
import { keepCarried } from '#server/modules/messaging/media/index.ts';
import { capWishes, uncapped } from '#server/modules/outreach/caps/index.ts';
import type { Capping } from '#server/modules/outreach/caps/index.ts';
import { allTextsOf } from '#server/modules/messaging/whatsapp-templates/index.ts';
import { ownLinks } from '#server/modules/outreach/links/index.ts';
import { queueMessages } from '#server/modules/messaging/messages/index.ts';
import type { Queueing } from '#server/modules/messaging/messages/index.ts';
import type { Candidate, FeedingSource } from './feeding-source.ts';
import { messageFor } from '../message-for.ts';
import { knownOfNumber, skipText } from '../skip-reason.ts';
import type { Recipient, SkipReason } from '../skip-reason.ts';
import { entriesOf, ofSource } from './ledger.ts';
import type { Ledger } from './ledger.ts';

/** The outcome of an entry. */
export type Handled = {
  key: number;
  profileId: number | null;
  /** The profile's number now; null when the profile is gone. */
  phone: string | null;
  outcome: { kind: 'queued'; messageId: number } | { kind: 'skipped'; reason: SkipReason };
};

type Refusal = {
  kind: Exclude<
    Queueing['kind'],
    'queued' | 'opted_out' | 'later' | 'must_write_first' | 'window_closed' | 'marketing_capped'
  >;
  until?: Date;
};

/**
 * `refusal`: why the first that was not handed over was not. `passed`: the keys of those whom no phone may write to now,
 * though perhaps to others, and when one may.
 */
export type HandedOver = { handled: Handled[]; refusal: Refusal | undefined; passed: Passed };
type Passed = { keys: number[]; nextAt: Date | undefined; why: WaitingReason | undefined };

type Slice = { after: number; limit: number; audience?: RawBuilder<boolean> | undefined };
export type CandidateRow = Recipient & {
  entry_key: number;
  entry_profile_id: number | null;
  id: number | null;
  is_member: boolean;
};

export function toCandidate(row: CandidateRow): Candidate {
  const { entry_key: key, entry_profile_id: profileId, is_member: isMember, ...profile } = row;
  return { key, profileId, profile: profile.id === null ? undefined : profile, isMember };
}

/** A lookup for each: a join would let the planner read all profiles. */
export async function findWaiting(
  tx: Tx,
  ledger: Ledger,
  { account, sourceId, rules }: FeedingSource,
  { after, limit, audience = sql`true` }: Slice,
): Promise<Candidate[]> {
  const key = sql.ref(ledger.key);
  const { rows } = await sql<CandidateRow>`
    select e.entry_key, e.entry_profile_id, p.*,
           ${knownOfNumber(sql`${account.id}::bigint`, sql`p.phone`, rules.topic_id)}
      from (select ${key} as entry_key, ${ledger.profileId} as entry_profile_id from ${entriesOf(ledger)}
             where ${ofSource(ledger, { accountId: account.id, sourceId })} and ${key} > ${after} and status = 'waiting'
             order by ${key}
             limit ${limit}) as e
      left join lateral (${ledger.recipientOf({ accountId: account.id, sourceId, audience })}) as p on true
     order by e.entry_key
  `.execute(tx.db);
  return rows.map(toCandidate);
}

/** Goes through the candidates in their order, up to the first whose message is not taken for want of phones or room. */
export async function handOver(
  tx: Tx,
  ledger: Ledger,
  source: FeedingSource,
  candidates: readonly Candidate[],
): Promise<HandedOver> {
  const accountId = source.account.id;
  const contents = candidates.map((candidate) => source.contentOf(candidate));
  const templates = [
    ...new Set(contents.flatMap(({ template, bound }) => [template, ...(bound ? [allTextsOf(bound.binding)] : [])])),
  ];
  const own = await ownLinks(tx, { accountId, source: ledger.name, sourceId: source.sourceId }, templates);
  const decided = candidates.map((candidate, index) => {
    const { profile, isMember, ...entry } = candidate;
    const content = contents[index] ?? source.contentOf(candidate);
    const fill = (template: string, recipient: Recipient) =>
      ledger.fill(own(template, { key: candidate.key, phone: recipient.phone }), recipient);
    const message = messageFor(content, profile, { isMember, fill });
    return { ...entry, phone: profile?.phone ?? null, media: content.media, message };
  });
  const origin = ledger.originOf(source.sourceId);
  const { over, until, reserve } = await capped(tx, ledger, source, decided);
  const isWaiting = source.rules.when_capped === 'wait';
  const texts = decided.flatMap(({ key, profileId, phone, media, message }) =>
    message.kind === 'text' && phone !== null && !over.has(key)
      ? [
          {
            key,
            ...(profileId !== null && { profileId }),
            to: phone,
            message: message.text,
            media,
            ...(message.template && { template: message.template }),
            origin,
          },
        ]
      : [],
  );
  for (const mediaId of new Set(
    texts.flatMap(({ media, template }) => media?.id ?? template?.header_media?.media.id ?? []),
  ))
    await keepCarried(tx, { accountId: source.account.id, mediaId });
  const queueings = await queueMessages(tx, source, texts);
  const byKey = new Map(texts.map(({ key }, index) => [key, queueings[index]]));
  const handled: Handled[] = [];
  let refusal: Refusal | undefined;
  const passed: Passed = { keys: [], nextAt: undefined, why: undefined };
  const pass = (key: number, at: Date | null, why: Passed['why']) => {
    passed.keys.push(key);
    if (why) passed.why = why;
    if (at && (!passed.nextAt || at < passed.nextAt)) passed.nextAt = at;
  };
  for (const { message, media: _, ...entry } of decided) {
    const queueing = byKey.get(entry.key);
    if (message.kind === 'skipped') handled.push({ ...entry, outcome: message });
    else if (message.kind === 'held') pass(entry.key, message.until, message.why);
    else if (over.has(entry.key) && !isWaiting) handled.push({ ...entry, outcome: isCapped });
    else if (over.has(entry.key)) pass(entry.key, until, 'contact_capped');
    else if (queueing?.kind === 'queued') handled.push({ ...entry, outcome: queueing });
    else if (queueing?.kind === 'opted_out') handled.push({ ...entry, outcome: optedOut });
    else if (
      queueing?.kind === 'must_write_first' ||
      queueing?.kind === 'window_closed' ||
      queueing?.kind === 'marketing_capped'
    )
      handled.push({ ...entry, outcome: { kind: 'skipped', reason: queueing.kind } });
    else if (queueing?.kind === 'later') pass(entry.key, queueing.at, queueing.why);
    else {
      refusal = queueing ?? { kind: 'no_room' };
      break;
    }
  }
  await reserve(
    handled.flatMap(({ key, outcome }) => (outcome.kind === 'queued' ? [{ key, messageId: outcome.messageId }] : [])),
  );
  await saveHandled(tx, ledger, source, handled);
  return { handled, refusal, passed };
}

const isCapped = { kind: 'skipped', reason: 'capped' } as const;
const optedOut = { kind: 'skipped', reason: 'opted_out' } as const;

type Decided = {
  key: number;
  profileId: number | null;
  phone: string | null;
  message: { kind: 'text' | 'skipped' | 'held' };
};

/** Bulk runs are no messages of campaigns and flows: they neither count nor are capped. */
async function capped(tx: Tx, ledger: Ledger, source: FeedingSource, decided: readonly Decided[]): Promise<Capping> {
  if (ledger.name === 'bulk_run') return uncapped;
  return capWishes(tx, {
    account: source.account,
    source: ledger.name,
    sourceId: source.sourceId,
    topicId: source.rules.topic_id,
    priority: source.rules.priority,
    wishes: decided.flatMap(({ key, profileId, phone, message }) =>
      message.kind === 'text' && phone !== null ? [{ key, profileId, phone }] : [],
    ),
  });
}

const reasonText = (ledger: Ledger, reason: SkipReason) =>
  reason === 'no_longer_matches' ? ledger.noLongerMatches : skipText(reason);

/**
 * A ledger that was filled just now has no statistics yet, and a plan for its id would read all of it to find a few rows.
 * The fenced rows name the account and the source as well, so that the planner joins by the whole key, and no plan of a
 * smaller ledger is kept.
 */
async function saveHandled(
  tx: Tx,
  ledger: Ledger,
  { account, sourceId, projectId }: FeedingSource,
  handled: readonly Handled[],
): Promise<void> {
  if (handled.length === 0) return;
  const messageIds = handled.map(({ outcome }) => (outcome.kind === 'queued' ? outcome.messageId : null));
  const reasons = handled.map(({ outcome }) =>
    outcome.kind === 'skipped' ? reasonText(ledger, outcome.reason) : null,
  );
  await sql`
    with x as materialized (
      select ${account.id}::bigint as account_id, ${sourceId}::bigint as source_id, x.*
        from unnest(${handled.map(({ key }) => key)}::bigint[], ${handled.map(({ phone }) => phone)}::text[],
                    ${messageIds}::bigint[], ${reasons}::text[]) as x (key, phone, message_id, reason)
    )
    update ${entriesOf(ledger)} e
       set status = case when x.message_id is null then 'skipped' else 'queued' end, message_id = x.message_id,
           reason = x.reason, phone = coalesce(x.phone, e.phone) ${ledger.onHandOver({ projectId, now: tx.clock.now() })}
      from x
     where e.account_id = x.account_id and ${sql.ref(`e.${ledger.source}`)} = x.source_id
       and ${sql.ref(`e.${ledger.key}`)} = x.key
  `.execute(tx.db);
}
