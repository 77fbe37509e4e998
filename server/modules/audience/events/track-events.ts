import { eventDaysBack, eventSkewMs, NewEvent } from '#contracts/events.ts';
import type { AcceptedEvent, EventAnswer } from '#contracts/events.ts';
import { shortenText } from '#contracts/shorten-text.ts';
import { digitsOfWritten, isFullNumber } from '#contracts/understand-number.ts';
import { unknownNames } from '#contracts/unknown-names.ts';
import type { AccountContext } from '#server/context.ts';
import { namePeople, phoneKey, readNewPhones } from '#server/modules/audience/profiles/index.ts';
import { InvalidInputError, NotFoundError } from '#server/platform/errors.ts';
import type { ProblemError } from '#server/platform/errors.ts';
import { unstorablePath } from '#server/platform/http/parse-request.ts';
import { storeEvents } from './store-events.ts';
import type { EventToStore, StoredEvent } from './store-events.ts';

/** Throws what keeps the event from being stored. */
export async function trackEvent(ctx: AccountContext, event: NewEvent): Promise<AcceptedEvent> {
  const stored = (await storeNumbered(ctx, event)) ?? (await storeRead(ctx, [event]))[0];
  if (!stored) throw new Error('An event had no answer');
  if ('problem' in stored) throw stored.problem;
  return stored;
}

/** Stores what can be of a batch, a line of the answer each. */
export async function trackEvents(
  ctx: AccountContext,
  { events }: { events: readonly unknown[] },
): Promise<{ data: EventAnswer[] }> {
  const lines = events.map(parseLine);
  const good = lines.flatMap((line) => ('problem' in line ? [] : [line]));
  const stored = await storeRead(ctx, good);
  const answers = new Map(good.map((line, place) => [line, stored[place]]));
  return {
    data: lines.map((line, index) => {
      const answer = 'problem' in line ? line : answers.get(line);
      if (!answer) throw new Error('A line had no answer');
      if ('problem' in answer) return { index, error: errorOf(answer.problem) };
      return { index, ...answer };
    }),
  };
}

type Problem = { problem: ProblemError };

function parseLine(line: unknown): NewEvent | Problem {
  const unstorable = unstorablePath(line);
  if (unstorable !== undefined) return invalid(unstorable, 'The text holds a character that cannot be stored');
  const parsed = NewEvent.safeParse(line);
  const [issue] = parsed.error?.issues ?? [];
  if (!parsed.success) return invalid(issue?.path.join('.') ?? '', issue?.message ?? 'This line is not valid');
  const [unknown] = unknownNames(line, { schema: NewEvent, most: 1 });
  return unknown ? invalid(unknown.path, unknown.message) : parsed.data;
}

const invalid = (path: string, message: string): Problem => ({ problem: new InvalidInputError([{ path, message }]) });

/** A line has a code and a sentence, with the field that it is about. */
function errorOf(problem: ProblemError): NonNullable<EventAnswer['error']> {
  const [fault] = problem instanceof InvalidInputError ? (problem.errors ?? []) : [];
  if (!fault) return { code: problem.code, message: problem.message };
  const path = shortenText(fault.path, 200);
  return { code: problem.code, message: `${path === '' ? '' : `${path}: `}${fault.message}` };
}

/** Stores one of a number that somebody has, whom storing finds by itself; undefined: nobody has it, or more is asked. */
async function storeNumbered(ctx: AccountContext, event: NewEvent): Promise<StoredEvent | Problem | undefined> {
  const { phone, external_id: externalId, profile_id: profileId } = event;
  const now = ctx.clock.now();
  const at = timeOf(event, now);
  if (phone === undefined || externalId !== undefined || profileId !== undefined || isProblem(at)) return undefined;
  const { digits, isInternational } = digitsOfWritten(phone);
  // Digits behind a plus are full as they stand; others may be national, and what nobody could place says nothing.
  const number = isInternational && isFullNumber(digits) ? digits : (await readNewPhones(ctx, [phone]))[0]?.phone;
  if (number === undefined) return undefined;
  const { event: name, properties, message_id: messageId } = event;
  const [stored] = await storeEvents(ctx, [{ of: phoneKey(number), name, at, properties, messageId }]);
  return stored && 'problem' in stored && stored.problem instanceof NotFoundError ? undefined : stored;
}

/** By their places. */
async function storeRead(ctx: AccountContext, events: readonly NewEvent[]): Promise<(StoredEvent | Problem)[]> {
  const now = ctx.clock.now();
  const times = events.map((event) => timeOf(event, now));
  const people = await namePeople(
    ctx,
    events.filter((_, place) => !isProblem(times[place])),
  );
  let next = 0;
  const answers: (StoredEvent | Problem | undefined)[] = [];
  const toStore: { place: number; event: EventToStore }[] = [];
  for (const [place, event] of events.entries()) {
    const at = times[place];
    if (isProblem(at)) {
      answers[place] = at;
      continue;
    }
    const person = people[next];
    next += 1;
    if (!person || 'problem' in person) answers[place] = person;
    else {
      const { event: name, properties, message_id: messageId } = event;
      toStore.push({ place, event: { of: person.profileId, name, at: at ?? now, properties, messageId } });
    }
  }
  const stored = await storeEvents(
    ctx,
    toStore.map(({ event }) => event),
  );
  for (const [index, { place }] of toStore.entries()) answers[place] = stored[index];
  return answers.map((answer) => {
    if (!answer) throw new Error('An event had no answer');
    return answer;
  });
}

const isProblem = (value: Date | Problem | undefined): value is Problem =>
  value !== undefined && !(value instanceof Date);

function timeOf({ timestamp }: NewEvent, now: Date): Date | Problem {
  if (timestamp === undefined) return now;
  const at = new Date(timestamp);
  const aheadMs = at.getTime() - now.getTime();
  if (aheadMs > eventSkewMs) return invalid('timestamp', 'Use a time that has come');
  if (aheadMs < -eventDaysBack * 86_400_000) return invalid('timestamp', 'Use a time at most 90 days ago');
  return aheadMs > 0 ? now : at;
}
