import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { Consent, ConsentChange, ConsentEvidence, NumberTopics } from '#contracts/topics.ts';
import { digitsOfWritten, isFullNumber } from '#contracts/understand-number.ts';
import type { PhoneText } from '#contracts/phone-numbers.ts';
import { isPermitted } from '#server/actor.ts';
import type { AccountContext, Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { getProfileRow, requireInReach } from '#server/modules/audience/profiles/index.ts';
import { optedOutAt } from '#server/modules/audience/suppressions/index.ts';
import { requireNumber, understandNumbers } from '#server/modules/numbers/reading/index.ts';
import { InvalidInputError } from '#server/platform/errors.ts';
import { noteConsents } from './note-consents.ts';
import { preferencesUrl } from './preferences/link.ts';
import type { TopicConsentsTable } from './tables.ts';

export type ConsentRow = Selectable<TopicConsentsTable>;

const mostLogLines = 100;

/** A look-up of a number that is not clear takes its digits as they stand. Throws 422 for what is no number. */
export async function getNumberTopics(ctx: AccountContext, { phone }: { phone: PhoneText }): Promise<NumberTopics> {
  const [understood] = await understandNumbers(ctx, [phone]);
  const number = understood?.kind === 'clear' ? understood.number : digitsOfWritten(phone.written).digits;
  if (!isFullNumber(number)) throw new InvalidInputError([{ path: 'phone', message: 'Invalid number' }]);
  await requireInReach(ctx, number);
  return readNumber(ctx, number);
}

/** Throws 422 `number_not_clear`, and for a topic that there is not; 404 for somebody whom the caller does not see. */
export async function putNumberTopics(
  ctx: AccountContext,
  { phone, change }: { phone: PhoneText; change: ConsentChange },
): Promise<NumberTopics> {
  const number = await requireNumber(ctx, { ...phone, path: 'phone' });
  await requireInReach(ctx, number);
  return changeNumber(ctx, number, change);
}

/** Throws 404. */
export async function getProfileTopics(
  ctx: AccountContext,
  { profileId }: { profileId: number },
): Promise<NumberTopics> {
  return readNumber(ctx, (await getProfileRow(ctx, profileId)).phone);
}

/** Throws 404, and 422 where the profile has no number that could be written to. */
export async function putProfileTopics(
  ctx: AccountContext,
  { profileId, change }: { profileId: number; change: ConsentChange },
): Promise<NumberTopics> {
  const { phone } = await getProfileRow(ctx, profileId);
  if (!isFullNumber(phone)) throw new InvalidInputError([{ path: 'topics', message: 'Its number is not valid' }]);
  return changeNumber(ctx, phone, change);
}

async function changeNumber(ctx: AccountContext, phone: string, change: ConsentChange): Promise<NumberTopics> {
  return inTransaction(ctx, async (tx) => {
    const now = tx.clock.now();
    const at = change.at === undefined ? now : new Date(change.at);
    if (at > now) throw new InvalidInputError([{ path: 'at', message: 'Choose a time that has passed' }]);
    const before = await readTopics(tx, phone);
    const known = new Map(before.map((topic) => [topic.topic_id, topic]));
    const faults = change.topics.flatMap(({ topic_id: id }, index) =>
      known.has(id) ? [] : [{ path: `topics.${index}.topic_id`, message: `There is no topic ${id}` }],
    );
    if (faults.length > 0) throw new InvalidInputError(faults);
    const lifts = change.topics.some(
      ({ topic_id: id, state }) => state === 'opted_in' && known.get(id)?.consent?.state === 'opted_out',
    );
    if (lifts && !change.note) {
      throw new InvalidInputError([{ path: 'note', message: 'Say how they came to want it again' }]);
    }
    await noteConsents(tx, {
      accountId: tx.account.id,
      words: change.topics.map(({ topic_id: topicId, state }) => ({ phone, topicId, state })),
      by: tx.actor.kind === 'user' ? 'user' : 'api',
      at,
      note: change.note || null,
      evidence: { actor: await findActorName(tx), text: change.text || null, address: null },
    });
    return readNumber(tx, phone);
  });
}

async function findActorName({ db, actor }: AccountContext): Promise<string | null> {
  if (actor.kind !== 'user') return null;
  const user = await db.selectFrom('users').select('name').where('id', '=', actor.userId).executeTakeFirst();
  return user?.name ?? null;
}

async function readNumber(ctx: AccountContext, phone: string): Promise<NumberTopics> {
  const topics = await readTopics(ctx, phone);
  const isOut = await isOptedOut(ctx, phone);
  const log = await ctx.db
    .selectFrom('topic_consent_log')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('phone_key', '=', sql<string>`phone_key(${phone}::text)`)
    .orderBy('id', 'desc')
    .limit(mostLogLines)
    .execute();
  return {
    phone,
    opted_out: isOut,
    topics: topics.map(({ receives, ...topic }) => ({ ...topic, receives: receives && !isOut })),
    log: log.map((row) => ({
      topic_id: row.topic_id,
      topic_name: row.topic_name,
      state: row.state,
      by: row.source,
      at: row.at.toISOString(),
      note: row.note,
      evidence: row.evidence,
    })),
    preferences_url:
      isFullNumber(phone) && isPermitted(ctx.actor, 'contacts:write')
        ? preferencesUrl(ctx, { accountId: ctx.account.id, phone })
        : null,
  };
}

export async function isOptedOut(ctx: AccountContext, phone: string): Promise<boolean> {
  const { rows } = await sql<{ is_out: boolean }>`
    select ${optedOutAt(sql`${ctx.account.id}::bigint`, sql`${phone}::text`)} is not null as is_out
  `.execute(ctx.db);
  return rows[0]?.is_out ?? false;
}

type TopicOfNumber = NumberTopics['topics'][number];
type Joined = { topic_id: number; topic_name: string; description: string | null; needs_opt_in: boolean };

/** Each topic with what the number said of it; whether it has opted out of everything does not count here. */
export async function readTopics(
  ctx: Context & Pick<AccountContext, 'account'>,
  phone: string,
): Promise<TopicOfNumber[]> {
  const { rows } = await sql<Joined & { consent: (Omit<ConsentRow, 'at'> & { at: string }) | null }>`
    select t.id as topic_id, t.name as topic_name, t.description, t.needs_opt_in, to_jsonb(c) as consent
      from topics t
      left join topic_consents c
        on c.account_id = t.account_id and c.topic_id = t.id and c.phone_key = phone_key(${phone}::text)
     where t.account_id = ${ctx.account.id} and t.deleted_at is null
     order by lower(t.name), t.id
  `.execute(ctx.db);
  return rows.map(({ topic_id: id, topic_name: name, description, needs_opt_in: needsOptIn, consent }) => ({
    topic_id: id,
    name,
    description,
    receives: consent ? consent.state === 'opted_in' : !needsOptIn,
    consent: consent && presentConsent({ ...consent, at: new Date(consent.at) }),
  }));
}

export function presentConsent(row: ConsentRow): Consent {
  const evidence: ConsentEvidence = row.evidence;
  return {
    topic_id: row.topic_id,
    phone: row.phone,
    state: row.state,
    by: row.source,
    at: row.at.toISOString(),
    note: row.note,
    evidence,
  };
}
