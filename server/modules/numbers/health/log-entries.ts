import type { PhoneLogKind } from '#contracts/phone-health.ts';
import type { Tx } from '#server/context.ts';
import type { PhoneHealth } from './health.ts';
import { stepOfDay } from './warm-up.ts';

/** An entry of the log for a phone's owner: from the network, or about an act of the product. */
export type LogEntry = {
  kind: PhoneLogKind;
  /** Digits. */
  number?: string;
  until?: Date | null;
  detail?: Record<string, unknown>;
};

export async function noteEntries(
  tx: Tx,
  { accountId, phoneId }: { accountId: number; phoneId: number },
  entries: readonly LogEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map(({ kind, number, until, detail }) => ({
    account_id: accountId,
    phone_id: phoneId,
    at: tx.clock.now(),
    kind,
    number: number ?? null,
    until: until ?? null,
    detail: JSON.stringify(detail ?? {}),
  }));
  await tx.db.insertInto('phone_signals').values(rows).execute();
}

/** The log entries of a change of health, besides those from the network. */
export function entriesOfChange(before: PhoneHealth, after: PhoneHealth): LogEntry[] {
  const entries: LogEntry[] = [];
  if (after.limit?.code === 'nothing_delivered' && after.limit.until.getTime() !== before.limit?.until.getTime()) {
    entries.push({ kind: 'nothing_delivered', until: after.limit.until });
  }
  const [from, to] = [stepOfDay(before.rampDay), stepOfDay(after.rampDay)];
  // Linking begins a warm-up, and says so itself.
  const isLinked = before.linkedAt?.getTime() === after.linkedAt?.getTime();
  if (isLinked && from.fromDay !== to.fromDay) {
    const detail = { first: to.first, known: to.known, is_up: to.fromDay > from.fromDay };
    entries.push({ kind: 'step', detail });
  }
  return entries;
}
