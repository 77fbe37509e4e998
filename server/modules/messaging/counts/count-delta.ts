import type { MessageDirection } from '#contracts/messages.ts';

/** The columns that a message's counts depend on. */
export type CountedMessage = {
  account_id: number;
  project_id: number;
  phone_id: number | null;
  direction: MessageDirection;
  status: string;
  created_at: Date;
  sent_at: Date | null;
  delivered_at: Date | null;
};

/** `before` is undefined for a message that is new. */
export type CountedChange = { before: CountedMessage | undefined; after: CountedMessage };

type Counts = { sent: number; delivered: number; failed: number; received: number };

export type CountDelta = Counts & {
  accountId: number;
  projectId: number;
  quarterHour: Date;
  /** 0: no phone was chosen. */
  phoneId: number;
  direction: MessageDirection;
};

const quarterHourMs = 15 * 60_000;
const none: Counts = { sent: 0, delivered: 0, failed: 0, received: 0 };

/** The counts of a message. A message that was delivered was sent too; one that failed after all no longer was. */
function countsOf(message: CountedMessage | undefined): Counts {
  if (!message) return none;
  if (message.direction === 'incoming') return { ...none, received: 1 };
  return {
    sent: Number(message.sent_at !== null && message.status !== 'failed'),
    delivered: Number(message.delivered_at !== null),
    failed: Number(message.status === 'failed'),
    received: 0,
  };
}

const add = (counts: Counts, more: Counts, sign: 1 | -1): Counts => ({
  sent: counts.sent + sign * more.sent,
  delivered: counts.delivered + sign * more.delivered,
  failed: counts.failed + sign * more.failed,
  received: counts.received + sign * more.received,
});

const isEmpty = ({ sent, delivered, failed, received }: Counts) =>
  sent === 0 && delivered === 0 && failed === 0 && received === 0;

/**
 * By how much changes of messages change the counts, each row of counts once; a message counts in the quarter of an
 * hour in which it was created. In one order for all, so that two who write the same rows never wait for each other.
 */
export function countDeltas(changes: readonly CountedChange[]): CountDelta[] {
  const deltas = new Map<string, CountDelta>();
  for (const { before, after } of changes) {
    const change = add(countsOf(after), countsOf(before), -1);
    if (isEmpty(change)) continue;
    const row = rowOf(after);
    const key = JSON.stringify(row);
    const delta = deltas.get(key) ?? { ...row, ...none };
    deltas.set(key, { ...delta, ...add(delta, change, 1) });
  }
  return [...deltas.values()].filter((delta) => !isEmpty(delta)).toSorted(byRow);
}

function rowOf(message: CountedMessage): Omit<CountDelta, keyof Counts> {
  return {
    accountId: message.account_id,
    projectId: message.project_id,
    quarterHour: new Date(Math.floor(message.created_at.getTime() / quarterHourMs) * quarterHourMs),
    phoneId: message.phone_id ?? 0,
    direction: message.direction,
  };
}

function byRow(one: CountDelta, other: CountDelta): number {
  return (
    one.accountId - other.accountId ||
    one.quarterHour.getTime() - other.quarterHour.getTime() ||
    one.projectId - other.projectId ||
    one.phoneId - other.phoneId ||
    one.direction.localeCompare(other.direction)
  );
}
