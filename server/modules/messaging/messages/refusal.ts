import { sendingObstacleWords } from '#contracts/projects.ts';
import type { Context } from '#server/context.ts';
import { ConflictError, ProblemError, TooManyRequestsError, assertNever } from '#server/platform/errors.ts';
import { knownEnd } from '#server/modules/numbers/phones/index.ts';
import type { Acceptance } from './accept-message.ts';
import { refusedOptOutText } from './queued/withdraw-opted-out.ts';
import { windowClosedText } from './queued/withdraw-shut.ts';

type Refusal = Exclude<Acceptance, { kind: 'accepted' } | { kind: 'replayed' }>;

/** How a message that no phone took is refused to its caller. */
export function refusalOf(ctx: Context, acceptance: Acceptance | undefined): ProblemError {
  if (!acceptance || acceptance.kind === 'accepted' || acceptance.kind === 'replayed') {
    throw new Error('A message was refused that was accepted, or never submitted');
  }
  return problemOf(ctx, acceptance);
}

function problemOf(ctx: Context, acceptance: Refusal): ProblemError {
  switch (acceptance.kind) {
    case 'no_connected_phone':
    case 'phones_inactive':
    case 'sandbox_resting':
      return new ConflictError(acceptance.kind, sendingObstacleWords[acceptance.kind]);
    case 'phones_limited':
      return phonesLimited(acceptance.until);
    case 'opted_out':
      return new ConflictError('opted_out', refusedOptOutText);
    case 'daily_limit':
      return new TooManyRequestsError(
        'daily_limit_reached',
        sendingObstacleWords.daily_limit_reached,
        Math.ceil((acceptance.until.getTime() - ctx.clock.now().getTime()) / 1000),
      );
    case 'idempotency_conflict':
      return new ConflictError('idempotency_conflict', 'This Idempotency-Key was used with another message');
    case 'must_write_first':
      return mustWriteFirst();
    case 'window_closed':
      return new ConflictError('window_closed', windowClosedText);
    case 'marketing_capped':
      return new ConflictError('marketing_capped', marketingCappedText);
    case 'no_room':
    case 'later':
      throw new Error('A direct send was refused for want of room, which is for what ledgers hand over');
    default:
      return assertNever(acceptance);
  }
}

const marketingCappedText =
  'Meta let no more marketing messages reach this number within the last 24 hours. Send it after that time.';

const withMessage = (messageId: number | undefined) => (messageId === undefined ? {} : { messageId });

/** `until`: null where nobody knows. */
export function phonesLimited(until: Date | null, messageId?: number): ProblemError {
  const end = until && knownEnd(until);
  const reason = `${sendingObstacleWords.phones_limited}${end === null ? '' : `, until ${end.toISOString()}`}`;
  return new ProblemError(409, 'phones_limited', reason, withMessage(messageId));
}

/** The project refuses direct messages to strangers beyond the day's first contacts. */
export const firstContactsUsed = (until: Date): ProblemError =>
  new ProblemError(
    409,
    'phones_limited',
    `The phone numbers of this project have begun as many new chats as they may today: more from ${until.toISOString()} on`,
  );

export function mustWriteFirst(messageId?: number): ProblemError {
  const reason = 'WhatsApp takes a message to this number only once it has written to you';
  return new ProblemError(409, 'must_write_first', reason, withMessage(messageId));
}
