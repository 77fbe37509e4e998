import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';
import { findPaceHold, findPendingNumbers } from '#server/modules/messaging/messages/index.ts';
import { notWaiting } from '../waiting-reason.ts';
import type { Waiting } from '../waiting-reason.ts';
import type { FeedingSource, FeedStep } from './feeding-source.ts';
import { entriesOf, ofSource, prepared } from './ledger.ts';
import type { Ledger } from './ledger.ts';
import { absentNow, passOf } from './paced-pass.ts';

/** How many of those who wait are asked for: it is for people to read, and the next ones are like them. */
const asked = 200;

/** The reason why the pace of the project's phones holds the next entries back, and until when at the soonest. */
export async function findLedgerHold(
  tx: Tx,
  ledger: Ledger,
  { account, projectId, sourceId, passKey }: FeedingSource,
  { after }: Pick<FeedStep, 'after'>,
): Promise<Waiting> {
  const ref = { accountId: account.id, sourceId };
  const key = sql.ref(ledger.key);
  const { rows } = await sql<{ phone: string }>`
    ${prepared(ledger, 'find-next-numbers')}
    select phone from ${entriesOf(ledger)}
     where ${ofSource(ledger, ref)} and ${key} > ${after} and status = 'waiting'
     order by ${key}
     limit ${asked}
  `.execute(tx.db);
  const hold = await findPaceHold(
    tx,
    { account, projectId },
    { numbers: rows.map(({ phone }) => phone), absent: absentNow(passOf(tx, ledger, ref, passKey), tx.clock.now()) },
  );
  return hold ? { waitingFor: `phone_${hold.why}`, waitingUntil: hold.until } : notWaiting;
}

/** The same for those who have been handed to a phone already, where nobody else waits. */
export async function findQueuedHold(tx: Tx, ledger: Ledger, source: FeedingSource): Promise<Waiting> {
  const scope = { account: source.account, projectId: source.projectId };
  const numbers = await findPendingNumbers({ ...tx, ...scope }, ledger.originOf(source.sourceId));
  if (numbers.length === 0) return notWaiting;
  const hold = await findPaceHold(tx, scope, { numbers, absent: { first: true, known: true } });
  return hold ? { waitingFor: `phone_${hold.why}`, waitingUntil: hold.until } : notWaiting;
}
