import type { WaitingReason } from '#contracts/waiting-reason.ts';
import type { Context, ProjectScope } from '#server/context.ts';
import { anywhere, loadSenders, maySend, momentOf } from '#server/modules/numbers/health/index.ts';
import type { Moment, StoredSender } from '#server/modules/numbers/health/index.ts';
import {
  assignPhones,
  findPortfolios,
  findRotationPhones,
  isWindowed,
  phonesThatCarry,
} from '#server/modules/numbers/phones/index.ts';
import type { CarriedContent } from '#server/modules/numbers/phones/index.ts';
import { isGuarded } from './assign-queued.ts';
import { roomOfPhones, waitingPerPhone } from './room-of-phones.ts';

/** The most messages that one call of `queueMessages` takes: the project's phones are locked meanwhile. */
const largestBatch = 500;

export type OutboxRoom = {
  /** How many messages would be taken now. Zero while no phone may send, or enough wait already. */
  count: number;
  /** Where health decides for every phone with room: to others than these none of them may go now. */
  paced:
    | {
        contacts: { first: boolean; known: boolean };
        /** Contacts who never wrote are written to only in the daytime of their country. */
        isDaytimeOnly: boolean;
        phoneIds: number[];
        nextAt: Date | undefined;
      }
    | undefined;
  /** When there may be room that pace and limits deny now. */
  nextAt: Date | undefined;
  /** Some may have to wait for themselves while others go. */
  mayPass: boolean;
  /** The allowance of Meta's that is used up, where nothing goes for it. */
  hold: { waitingFor: WaitingReason; waitingUntil: Date | null } | undefined;
};

const freeContent: CarriedContent = { businessAccountId: undefined };

/** How much `queueMessages` would take of the project now. */
export async function findOutboxRoom(
  ctx: Context,
  { account, projectId }: ProjectScope,
  content: CarriedContent = freeContent,
): Promise<OutboxRoom> {
  const all = await findRotationPhones(ctx, { accountId: account.id, projectIds: [projectId] });
  const phones = await phonesThatCarry(ctx, all, content);
  const mayPass = phones.some(({ connector }) => isWindowed(connector));
  const { businessAccountId } = content;
  const freeAt =
    businessAccountId === undefined
      ? undefined
      : (await findPortfolios(ctx, account.id, [businessAccountId])).get(businessAccountId)?.freeAt;
  if (freeAt) {
    const hold = { waitingFor: 'portfolio_limit', waitingUntil: freeAt } as const;
    return { count: 0, paced: undefined, nextAt: freeAt, mayPass, hold };
  }
  const moment = momentOf(ctx.clock.now(), account.timezone);
  const room = await roomOfPhones(ctx, phones);
  const guarded = phones.flatMap((phone) => (isGuarded(phone, moment.now) ? [phone.id] : []));
  const senders = await loadSenders(ctx, account.id, guarded, moment);
  const states = [...senders].map(([id, sender]) => ({ id, ...readiness(sender, moment) }));
  for (const { id, first, known } of states) if (!first && !known) room.set(id, 0);
  const assignments = assignPhones(phones, {
    count: Math.min(largestBatch, phones.length * waitingPerPhone),
    now: moment.now,
    timezone: account.timezone,
    room,
  });
  const taken = assignments.flatMap((assignment) => (assignment.kind === 'phone' ? [assignment.phoneId] : []));
  const isAllGuarded = taken.every((id) => guarded.includes(id));
  const ends = states.flatMap(({ endsAt }) => (endsAt ? [endsAt.getTime()] : []));
  const nextAt = ends.length > 0 ? new Date(Math.min(...ends)) : undefined;
  const others = { nextAt, mayPass: mayPass || guarded.length > 0, hold: undefined };
  if (taken.length === 0 || !isAllGuarded) return { count: taken.length, paced: undefined, ...others };
  const free = states.filter(({ id }) => taken.includes(id));
  const contacts = { first: free.some(({ first }) => first), known: free.some(({ known }) => known) };
  const isDaytimeOnly = [...senders.values()].every(({ health }) => health.isProtected && health.hasQuietHours);
  return { count: taken.length, paced: { contacts, isDaytimeOnly, phoneIds: guarded, nextAt }, ...others };
}

/** Whom a phone may write to, wherever they are, and when that changes. */
function readiness(sender: StoredSender, moment: Moment): { first: boolean; known: boolean; endsAt: Date | undefined } {
  const [first, known] = (['first', 'known'] as const).map((contact) =>
    maySend(anywhere(sender), { contact, country: undefined, mustWriteFirst: false }, moment),
  );
  const ends = [first, known].flatMap((verdict) => (verdict?.kind === 'later' ? [verdict.at.getTime()] : []));
  return {
    first: first?.kind === 'now',
    known: known?.kind === 'now',
    endsAt: ends.length > 0 ? new Date(Math.min(...ends)) : undefined,
  };
}
