import { sql } from 'kysely';
import { connectorTraits } from '#contracts/connectors.ts';
import type { PhoneAnswer, PhoneQuestion } from '#server/connectors/messaging/port.ts';
import type { AccountContext, Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import type { PhoneRow } from '#server/modules/numbers/phones/index.ts';
import { notificationsOfIds, notify, parseIds } from '#server/platform/db/notify.ts';
import { ConflictError, ProblemError, TooManyRequestsError } from '#server/platform/errors.ts';
import { processPart } from '#server/process-part.ts';
import { phoneAnswersChannel, phoneQuestionsChannel } from './channels.ts';
import { useLookUp } from './use-look-up.ts';

/** The longest that a caller waits. */
const patienceMs = 15_000;
/** A notification may be lost. */
const lookAgainMs = 3_000;
/** Beyond it questions of a phone are refused. */
const mostWaiting = 50;

/** They ask about no further number. */
const freeKinds: readonly PhoneQuestion['kind'][] = ['block', 'profile'];

type Answered = Exclude<PhoneAnswer, { kind: 'refused' }>;
type AnswerTo<K extends PhoneQuestion['kind']> = Extract<Answered, { to: K }>;

/** Callers of this process by the question that they wait for. */
const waitersOf = processPart(({ listener }) => {
  const waiters = new Map<number, () => void>();
  listener.subscribe(phoneAnswersChannel, (payload) => {
    for (const id of parseIds(payload)) waiters.get(id)?.();
  });
  return waiters;
});

/** Refuses a phone that cannot be asked now: 409 `not_supported`, 409 `phone_not_connected`. */
function requireAskable(phone: PhoneRow): void {
  if (!connectorTraits[phone.connector].answersQuestions)
    throw new ConflictError('not_supported', 'A number of the official API answers no such questions');
  if (phone.status !== 'connected')
    throw new ConflictError('phone_not_connected', 'This phone number is not connected');
}

/**
 * Asks the network of a phone, whichever process holds it. Throws as `requireAskable`, 429 `look_ups_used_up`, 502 `phone_silent` where no answer
 * comes in 15 s, and the network's own refusal.
 */
export async function askPhone<K extends PhoneQuestion['kind']>(
  ctx: AccountContext,
  phone: PhoneRow,
  question: Extract<PhoneQuestion, { kind: K }>,
): Promise<AnswerTo<K>> {
  requireAskable(phone);
  if (!freeKinds.includes(question.kind)) await useLookUp(ctx, phone.id);
  const waiters = waitersOf(ctx);
  const id = await store(ctx, phone.id, question);
  try {
    const answer = await waitFor(ctx, waiters, id);
    if (answer.kind === 'refused') throw refusalOf(ctx, answer);
    return answer as AnswerTo<K>;
  } finally {
    waiters.delete(id);
    await forget(ctx, id).catch((error: unknown) => ctx.logger.info({ err: error }, 'a question is left to expire'));
  }
}

async function store(ctx: AccountContext, phoneId: number, question: PhoneQuestion): Promise<number> {
  return inTransaction(ctx, async (tx) => {
    const { rows } = await sql<{ id: number }>`
      insert into phone_questions (account_id, phone_id, question, asked_at)
      select ${ctx.account.id}, ${phoneId}, ${JSON.stringify(question)}::jsonb, clock_timestamp()
       where (select count(*) from phone_questions where phone_id = ${phoneId} and claimed_at is null) < ${mostWaiting}
      returning id
    `.execute(tx.db);
    const [asked] = rows;
    if (!asked) throw new TooManyRequestsError('too_many_requests', 'This phone number is asked too much at once', 5);
    await notify(tx.db, notificationsOfIds(phoneQuestionsChannel, [phoneId]));
    return asked.id;
  });
}

async function waitFor(ctx: AccountContext, waiters: Map<number, () => void>, id: number): Promise<PhoneAnswer> {
  const endsAt = performance.now() + patienceMs;
  while (performance.now() < endsAt) {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiters.set(id, resolve);
    const answer = await read(ctx, id);
    if (answer) return answer;
    const timer = setTimeout(resolve, Math.min(lookAgainMs, Math.max(0, endsAt - performance.now())));
    await promise;
    clearTimeout(timer);
  }
  const answer = await read(ctx, id);
  if (answer) return answer;
  throw new ProblemError(502, 'phone_silent', 'WhatsApp did not answer in time. Try again in a minute.');
}

async function read(ctx: AccountContext, id: number): Promise<PhoneAnswer | null> {
  const row = await ctx.db
    .selectFrom('phone_questions')
    .select('answer')
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', id)
    .executeTakeFirst();
  return (row?.answer ?? null) as PhoneAnswer | null;
}

async function forget(ctx: AccountContext, id: number): Promise<void> {
  await ctx.db.deleteFrom('phone_questions').where('account_id', '=', ctx.account.id).where('id', '=', id).execute();
}

function refusalOf({ clock }: Context, refused: Extract<PhoneAnswer, { kind: 'refused' }>): ProblemError {
  const { code, reason, until } = refused;
  const seconds = until === null ? 60 : (Date.parse(until) - clock.now().getTime()) / 1000;
  const headers = { 'retry-after': String(Math.max(1, Math.ceil(seconds))) };
  return code === 'not_on_whatsapp'
    ? new ProblemError(422, code, reason)
    : new ProblemError(502, code, reason, { headers });
}
