import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';
import { forgetReservations } from '#server/modules/outreach/caps/index.ts';
import { ownLinks } from '#server/modules/outreach/links/index.ts';
import { recallMessages, withdrawMessages } from '#server/modules/messaging/messages/index.ts';
import type { MessageTemplate } from '../message-for.ts';
import { rewriteUnsent } from '../rewrite-unsent.ts';
import { knownOfNumber } from '../skip-reason.ts';
import type { Recipient } from '../skip-reason.ts';
import { entriesOf, ofSource } from './ledger.ts';
import type { Ledger, SourceRef } from './ledger.ts';

async function findQueued(tx: Tx, ledger: Ledger, ref: SourceRef): Promise<number[]> {
  const { rows } = await sql<{ message_id: number | null }>`
    select message_id from ${entriesOf(ledger)} where ${ofSource(ledger, ref)} and status = 'queued'
  `.execute(tx.db);
  return rows.flatMap(({ message_id: messageId }) => messageId ?? []);
}

/** Takes back for good what was handed to a phone and has not gone out: a phone that is away might send it days later. */
export async function withdrawQueued(
  tx: Tx,
  ledger: Ledger,
  { reason, ...ref }: SourceRef & { reason: string },
): Promise<void> {
  const messageIds = await findQueued(tx, ledger, ref);
  await withdrawMessages(tx, { accountId: ref.accountId, messageIds, reason });
}

/** Takes it back to wait in the ledger again. Under the source's lock. Answers the entries' keys. */
export async function recallQueued(tx: Tx, ledger: Ledger, ref: SourceRef): Promise<number[]> {
  return recallThese(tx, ledger, { ...ref, messageIds: await findQueued(tx, ledger, ref) });
}

/** The same for some of them. */
export async function recallThese(
  tx: Tx,
  ledger: Ledger,
  { messageIds: candidates, ...ref }: SourceRef & { messageIds: readonly number[] },
): Promise<number[]> {
  const { accountId } = ref;
  const messageIds = await recallMessages(tx, { accountId, messageIds: candidates });
  if (messageIds.length === 0) return [];
  await forgetReservations(tx, { accountId, messageIds });
  const { rows } = await sql<{ key: number }>`
    update ${entriesOf(ledger)} set status = 'waiting', message_id = null ${ledger.onRecall}
     where ${ofSource(ledger, ref)} and status = 'queued' and message_id = any(${messageIds}::bigint[])
    returning ${sql.ref(ledger.key)} as key
  `.execute(tx.db);
  return rows.map(({ key }) => key);
}

/** Gives what has not gone out another text; whom that has nothing to say to is skipped. */
export async function rewriteQueued(
  tx: Tx,
  ledger: Ledger,
  { template, media, ...ref }: SourceRef & MessageTemplate,
): Promise<void> {
  const { rows: unsent } = await sql<Recipient & { message_id: number | null; entry_key: number }>`
    select profiles.*, ${knownOfNumber(sql`profiles.account_id`, sql`profiles.phone`, null)}, e.message_id, e.entry_key
      from (select account_id, profile_id, message_id, ${sql.ref(ledger.key)} as entry_key from ${entriesOf(ledger)}
             where ${ofSource(ledger, ref)} and status = 'queued') as e
      join profiles on profiles.account_id = e.account_id and profiles.id = e.profile_id
  `.execute(tx.db);
  const own = await ownLinks(tx, { ...ref, source: ledger.name }, [template]);
  await rewriteUnsent(tx, { accountId: ref.accountId, own, template, media, unsent });
}
