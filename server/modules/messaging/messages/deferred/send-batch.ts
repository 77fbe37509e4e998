import { BatchMessage } from '#contracts/message-batches.ts';
import type { BatchAnswer } from '#contracts/message-batches.ts';
import { shortenText } from '#contracts/shorten-text.ts';
import type { ProjectContext } from '#server/context.ts';
import { findSuggestionCountries, refusalOfNumber, understandNumbers } from '#server/modules/numbers/reading/index.ts';
import { unstorablePath } from '#server/platform/http/parse-request.ts';
import { unknownNames } from '#contracts/unknown-names.ts';
import type { UnderstoodNumber } from '#contracts/understand-number.ts';
import { CommitUnknownError, perhapsAccepted } from '../lost-commit.ts';
import { presentStatus } from '../present.ts';
import { refusedOptOutText } from '../queued/withdraw-opted-out.ts';
import { deferMessages } from './defer-messages.ts';
import type { Deferral, DeferredMessage } from './defer-messages.ts';
import { lateAnswerFault } from './refuse-late-answer.ts';
import { resolveContent } from '../content/resolve-content.ts';
import { resolveRecipient } from '../content/resolve-recipient.ts';
import { findReplays } from '../find-replays.ts';
import { InvalidInputError } from '#server/platform/errors.ts';
import { sendTimeOf } from './send-time.ts';

type Refusal = NonNullable<BatchAnswer['error']>;
type Line =
  | { index: number; text: DeferredMessage }
  | { index: number; replayOf: number }
  | { index: number; error: Refusal };

const invalid = (message: string): Refusal => ({ code: 'invalid_input', message });

/** Accepts what can be of a batch, a line of the answer each; the messages go as soon as phones have room for them. */
export async function sendBatch(
  ctx: ProjectContext,
  { messages }: { messages: readonly unknown[] },
): Promise<{ data: BatchAnswer[] }> {
  const lines: Line[] = [];
  const read = await readNumbers(ctx, messages.map(parseLine));
  const keyed = read.map((line) => ('error' in line ? undefined : { ...line, key: line.idempotency_key }));
  const replays = await findReplays(ctx, keyed);
  for (const [index, line] of read.entries()) {
    const replayOf = replays.get(index);
    if ('error' in line) lines.push({ index, ...line });
    else lines.push(replayOf === undefined ? await readLine(ctx, line, index) : { index, replayOf });
  }
  const good = lines.flatMap((line) => ('text' in line ? [line] : []));
  const scope = { account: ctx.account, projectId: ctx.project.id };
  const deferrals = await deferMessages(
    ctx,
    scope,
    good.map(({ text }) => text),
  ).catch((error: unknown) => {
    throw error instanceof CommitUnknownError ? perhapsAccepted(error.messageId, perhapsStored) : error;
  });
  const decided = new Map(good.map(({ index }, place) => [index, deferrals[place]]));
  for (const [index, messageId] of replays) decided.set(index, { kind: 'replayed', messageId });
  const states = await findStates(ctx, [...decided.values()]);
  return {
    data: lines.map((line) => ('error' in line ? line : answerTo(line.index, decided.get(line.index), states))),
  };
}

/** They are stored together, or none of them. */
const perhapsStored =
  'the messages were stored, so they may have been accepted, all of them. Ask for one by message_id before you send ' +
  'them again: a 404 says that none was.';

function parseLine(line: unknown): BatchMessage | { error: Refusal } {
  const unstorable = unstorablePath(line);
  if (unstorable !== undefined) return { error: invalid(unstorableText(unstorable)) };
  const parsed = BatchMessage.safeParse(line);
  if (!parsed.success) return { error: invalid(sentenceOf(parsed.error.issues[0])) };
  const [unknown] = unknownNames(line, { schema: BatchMessage, most: 1 });
  return unknown ? { error: invalid(sentenceOf({ ...unknown, path: [unknown.path] })) } : parsed.data;
}

type ReadLine = Omit<BatchMessage, 'to'> & { to: string };

/** Gives the lines their numbers in full; those that are not clear become refusals. */
async function readNumbers(
  ctx: ProjectContext,
  lines: readonly (BatchMessage | { error: Refusal })[],
): Promise<(ReadLine | { error: Refusal })[]> {
  const written = lines.flatMap((line) => ('error' in line || !('written' in line.to) ? [] : [line.to]));
  const understood = await understandNumbers(ctx, written);
  const numbers = new Map(written.map((to, place) => [to, understood[place]]));
  const isRefused = understood.some(({ kind }) => kind !== 'clear');
  const countries = isRefused ? await findSuggestionCountries(ctx) : [];
  const read: (ReadLine | { error: Refusal })[] = [];
  for (const line of lines) {
    if ('error' in line) read.push(line);
    else if ('written' in line.to) read.push(withNumber({ ...line, to: line.to }, numbers.get(line.to), countries));
    else read.push(await withPerson(ctx, { ...line, to: line.to }));
  }
  return read;
}

type Written = Extract<BatchMessage['to'], { written: string }>;

function withNumber(
  line: BatchMessage & { to: Written },
  number: UnderstoodNumber | undefined,
  countries: readonly string[],
): ReadLine | { error: Refusal } {
  if (number?.kind === 'clear') return { ...line, to: number.number };
  const { code, message, suggestions } = refusalOfNumber({ ...line.to, path: 'to' }, number, countries);
  return { error: { code, message: `to: ${message}`, ...(suggestions && { suggestions: [...suggestions] }) } };
}

/** Of a conversation, or a LID. */
async function withPerson(ctx: ProjectContext, line: BatchMessage): Promise<ReadLine | { error: Refusal }> {
  try {
    return { ...line, to: (await resolveRecipient(ctx, line.to)).to };
  } catch (error) {
    return { error: refusalOfInput(error) };
  }
}

async function readLine(ctx: ProjectContext, line: ReadLine, index: number): Promise<Line> {
  const { to, send_at: sendAt, idempotency_key: key, metadata, override_opt_out } = line;
  const time = sendTimeOf(ctx, sendAt);
  if ('problem' in time) return { index, error: invalid(`send_at: ${time.problem}`) };
  const late = lateAnswerFault(line);
  if (late) return { index, error: invalid(`${late.path}: ${late.message}`) };
  try {
    if (line.media?.url !== undefined) return { index, error: invalid(`media.url: ${uploadFirst}`) };
    const { content, manner, asked } = await resolveContent(ctx, line, time.at);
    return { index, text: { to, content, manner, asked, override_opt_out, metadata, key, sendAt: time.at } };
  } catch (error) {
    return { index, error: refusalOfInput(error) };
  }
}

function refusalOfInput(error: unknown): Refusal {
  const [fault] = error instanceof InvalidInputError ? (error.errors ?? []) : [];
  if (!fault) throw error;
  return invalid(`${fault.path}: ${fault.message}`);
}

const uploadFirst = 'Upload the file once with POST /api/media, and name it by its id';

const unstorableText = (path: string) => `${shortenText(path, 200)}: The text holds a character that cannot be stored`;

/** The first of what is wrong with it, with the field that it is about. */
function sentenceOf(issue: { path: PropertyKey[]; message: string } | undefined): string {
  const path = shortenText(issue?.path.join('.') ?? '', 200);
  return `${path === '' ? '' : `${path}: `}${issue?.message ?? 'This line is not valid'}`;
}

/** How messages of earlier requests with the same keys stand now. */
async function findStates(
  ctx: ProjectContext,
  deferrals: readonly (Deferral | undefined)[],
): Promise<ReadonlyMap<number, BatchAnswer['status']>> {
  const ids = deferrals.flatMap((each) => (each?.kind === 'replayed' ? [each.messageId] : []));
  if (ids.length === 0) return new Map();
  const rows = await ctx.db
    .selectFrom('messages')
    .select(['id', 'status'])
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, status }) => [id, presentStatus(status)]));
}

function answerTo(
  index: number,
  deferral: Deferral | undefined,
  states: ReadonlyMap<number, BatchAnswer['status']>,
): BatchAnswer {
  if (deferral?.kind === 'deferred') {
    return { index, id: deferral.messageId, status: presentStatus(deferral.status) };
  }
  if (deferral?.kind === 'replayed') {
    const status = states.get(deferral.messageId);
    return { index, id: deferral.messageId, ...(status && { status }) };
  }
  if (deferral?.kind === 'opted_out') return { index, error: { code: 'opted_out', message: refusedOptOutText } };
  const message = 'This idempotency_key was used with another message';
  return { index, error: { code: 'idempotency_conflict', message } };
}
