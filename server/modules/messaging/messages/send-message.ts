import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Message } from '#contracts/messages.ts';
import type { NewMessage } from '#contracts/new-message.ts';
import type { ProjectContext } from '#server/context.ts';
import { InvalidInputError, ProblemError } from '#server/platform/errors.ts';
import type { Submission } from './accept-message.ts';
import type { AcceptanceQueue } from './acceptance-queue.ts';
import { deferMessages } from './deferred/defer-messages.ts';
import { sendTimeOf } from './deferred/send-time.ts';
import { getMessageRow } from './get-message.ts';
import { resolveContent } from './content/resolve-content.ts';
import { resolveRecipient } from './content/resolve-recipient.ts';
import { refuseLateAnswer } from './deferred/refuse-late-answer.ts';
import { CommitUnknownError, perhapsAccepted } from './lost-commit.ts';
import { presentMessage } from './present.ts';
import type { MessageRow } from './present.ts';
import { firstContactsUsed, mustWriteFirst, phonesLimited, refusalOf } from './refusal.ts';
import { firstContactsUsedUntil } from './first-contacts.ts';
import { findReplays } from './find-replays.ts';
import { findEarlier } from './message-keys.ts';
import type { SettlementWatch } from './settlement-watch.ts';

/** How long a caller waits for the network's answer before it gets `pending`. */
const answerWaitMs = 15_000;

/** Beyond this many callers waiting in one process, further ones get `pending` at once. */
const maxWaiting = 5_000;

export type Sending = {
  queue: AcceptanceQueue;
  watch: SettlementWatch;
  /** Aborted when the server drains: whoever waits gets `pending`. */
  draining: AbortSignal;
};

export type SendMessage = NewMessage & { idempotencyKey: string | undefined; respondAsync: boolean };

/** `to`: digits, or `lid:` and a LID. */
type ReadMessage = Omit<SendMessage, 'to'> & { to: string };

/** `isReplay`: the key had accepted it before. */
type Answer = { status: 200 | 202; body: Message; isReplay?: true };

/**
 * Stores the message, then waits for the network's answer. Errors: 409 `no_connected_phone`,
 * `phones_inactive`, `sandbox_resting`, `phones_limited`, `opted_out`, `idempotency_conflict`;
 * 422 `number_not_clear`, `not_on_whatsapp`; 429 `daily_limit_reached`; 502 `network_refused`.
 */
export async function sendMessage(ctx: ProjectContext, sending: Sending, input: SendMessage): Promise<Answer> {
  const { to, phoneId } = await resolveRecipient(ctx, input.to);
  const replayOf = (await findReplays(ctx, [{ ...input, to, key: input.idempotencyKey }])).get(0);
  if (replayOf !== undefined) return answerReplay(ctx, replayOf);
  const time = sendTimeOf(ctx, input.send_at);
  if ('problem' in time) throw new InvalidInputError([{ path: 'send_at', message: time.problem }]);
  if (time.at) return schedule(ctx, { ...input, to }, time.at);
  if (await isToBeQueued(ctx, { to, key: input.idempotencyKey })) return schedule(ctx, { ...input, to }, undefined);
  const { metadata, override_opt_out, idempotencyKey: key } = input;
  const resolved = await resolveContent(ctx, { ...input, to });
  const submission = { ...resolved, phoneId: resolved.phoneId ?? phoneId, to, metadata, override_opt_out, key };
  const submitted = await submit(ctx, sending, { ...input, submission });
  if ('replayOf' in submitted) return answerReplay(ctx, submitted.replayOf);
  const body = presentMessage(submitted.row);
  return { status: submitted.isSettled ? 200 : 202, body };
}

type Submitted = { replayOf: number } | { row: MessageRow; isSettled: boolean };

/** Stores one message for its phone and waits for the network's answer; throws as `sendMessage`. */
export async function submit(
  ctx: ProjectContext,
  sending: Sending,
  { submission, respondAsync }: { submission: Omit<Submission, 'onId'>; respondAsync: boolean },
): Promise<Submitted> {
  const waits = !respondAsync && !sending.draining.aborted && sending.watch.awaitedCount() < maxWaiting;
  let expected: ReturnType<SettlementWatch['expect']> | undefined;
  let acceptedId: number | undefined;
  const onId = (messageId: number) => {
    acceptedId = messageId;
    if (waits) expected = sending.watch.expect(ctx.account.id, messageId);
  };
  try {
    const scope = { account: ctx.account, projectId: ctx.project.id };
    const acceptance = await sending.queue.accept(scope, { ...submission, onId });
    if (acceptance.kind === 'replayed') return { replayOf: acceptance.messageId };
    if (acceptance.kind !== 'accepted') throw refusalOf(ctx, acceptance);
    expected?.stored({ isSentHere: acceptance.message.status === 'sending' });
    const settled = expected && (await waitAtMost(expected.settled, sending.draining));
    if (!settled) return { row: acceptance.message, isSettled: false };
    if (settled.status === 'failed') throw await refuse(ctx, settled);
    return { row: settled, isSettled: settled.status !== 'pending' };
  } catch (error) {
    throw error instanceof CommitUnknownError ? perhapsAccepted(acceptedId, perhapsStored) : error;
  } finally {
    expected?.cancel();
  }
}

const perhapsStored =
  'the message was stored, so it may have been accepted. Ask for it by message_id before you send it again: a 404 says ' +
  'that it was not.';

/**
 * The project's setting for strangers beyond the day's first contacts. Throws 409 `phones_limited` where it refuses
 * them.
 */
async function isToBeQueued(
  ctx: ProjectContext,
  { to, key }: { to: string; key: string | undefined },
): Promise<boolean> {
  const { directFirstContacts: mode = 'send', id: projectId } = ctx.project;
  const until = mode === 'send' ? undefined : await firstContactsUsedUntil(ctx, to);
  if (!until) return false;
  // A message that was accepted before is answered as it stands.
  const earlier = await findEarlier(ctx, { account: ctx.account, projectId }, [{ key }]);
  if (earlier.size > 0) return false;
  if (mode === 'refuse') throw firstContactsUsed(until);
  return true;
}

/** Stores a message that is sent when its time has come, or at once at its phone's pace. */
async function schedule(ctx: ProjectContext, input: ReadMessage, sendAt: Date | undefined): Promise<Answer> {
  const { to, metadata, override_opt_out, idempotencyKey: key } = input;
  refuseLateAnswer(input);
  const { content, manner, asked } = await resolveContent(ctx, input, sendAt);
  const scope = { account: ctx.account, projectId: ctx.project.id };
  const texts = [{ to, content, manner, asked, metadata, override_opt_out, key, sendAt }];
  const [deferral] = await deferMessages(ctx, scope, texts).catch((error: unknown) => {
    throw error instanceof CommitUnknownError ? perhapsAccepted(error.messageId, perhapsStored) : error;
  });
  if (!deferral) throw new Error('A message was neither scheduled nor refused');
  if (deferral.kind === 'idempotency_conflict' || deferral.kind === 'opted_out') throw refusalOf(ctx, deferral);
  if (deferral.kind === 'replayed') return answerReplay(ctx, deferral.messageId);
  return { status: 202, body: presentMessage(await getMessageRow(ctx, deferral.messageId)) };
}

/** A replay sends nothing: it answers how the first one stands now, a failure as the first call would have answered it. */
async function answerReplay(ctx: ProjectContext, messageId: number): Promise<Answer> {
  const row = await getMessageRow(ctx, messageId);
  if (row.status === 'failed') throw await refuse(ctx, row);
  const body = presentMessage(row);
  return { status: body.status === 'pending' || body.status === 'scheduled' ? 202 : 200, body, isReplay: true };
}

async function waitAtMost(settled: Promise<MessageRow>, draining: AbortSignal): Promise<MessageRow | undefined> {
  const stopped = new AbortController();
  const signal = AbortSignal.any([draining, stopped.signal]);
  try {
    return await Promise.race([settled, delay(answerWaitMs, undefined, { signal }).catch(() => undefined)]);
  } finally {
    stopped.abort();
  }
}

const conflicts = new Set(['opted_out', 'window_closed', 'marketing_capped']);
const unusable = new Set(['not_on_whatsapp', 'template_refused']);

function statusOf(code: string): 409 | 422 | 502 {
  if (conflicts.has(code)) return 409;
  return unusable.has(code) ? 422 : 502;
}

/** A refused request may be repeated with its key: the key is forgotten before the refusal is answered. */
async function refuse(ctx: ProjectContext, row: MessageRow): Promise<ProblemError> {
  const reason = row.error ?? 'The messaging network refused the message';
  const code = row.error_code ?? 'network_refused';
  const problem =
    code === 'account_restricted'
      ? await restriction(ctx, row)
      : new ProblemError(statusOf(code), code, reason, { messageId: row.id });
  if (code !== 'delivery_unknown') await forgetKey(ctx, row);
  return problem;
}

async function forgetKey(ctx: ProjectContext, row: MessageRow): Promise<void> {
  await ctx.db
    .deleteFrom('idempotency_keys')
    .where('account_id', '=', ctx.account.id)
    .where('project_id', '=', ctx.project.id)
    .where('message_id', '=', row.id)
    .execute();
}

/** WhatsApp refused it for what its phone did: the answer is the one that later ones get without being tried. */
async function restriction(
  ctx: ProjectContext,
  { id: messageId, phone_id: phoneId, recipient }: MessageRow,
): Promise<ProblemError> {
  const now = ctx.clock.now();
  const { rows } = await sql<{ is_refused: boolean; until: Date | null }>`
    select exists (select from phone_contacts c
                    where c.phone_id = h.phone_id and c.phone_key = phone_key(${recipient}) and c.refused_at is not null) as is_refused,
           greatest(h.first_stopped_until, (h.facts #>> '{cap,endsAt}')::timestamptz) as until
      from phone_health h where h.account_id = ${ctx.account.id} and h.phone_id = ${phoneId}
  `.execute(ctx.db);
  const [found] = rows;
  // A contact who has to write first must do so after a limit, too.
  if (found?.is_refused) return mustWriteFirst(messageId);
  return phonesLimited(found?.until && found.until > now ? found.until : null, messageId);
}
