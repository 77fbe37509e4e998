import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';
import { lockPhones } from '#server/modules/audience/suppressions/index.ts';
import { isWindowOpen, outboxNotifications, windowedConnectors } from '#server/modules/numbers/phones/index.ts';
import { notify } from '#server/platform/db/notify.ts';
import type { MessageRow } from '../present.ts';
import { failUnsent, withdrawnCode } from './withdraw-messages.ts';

/** As ledgers keep it and users read it. */
export const windowClosedText = 'The contact last wrote more than 24 hours ago: only a template reaches them';

type Shut = { accountId: number; messageIds: readonly number[] };

/**
 * Fails those of the messages that wait for a window which has shut: never sent, so that a ledger skips their
 * recipients. A message without a phone waited for its time, and every phone's window is shut for it.
 */
export async function withdrawShut(tx: Tx, { accountId, messageIds }: Shut): Promise<void> {
  await lockPhones(tx, accountId);
  const { rows } = await sql<MessageRow>`
    select m.* from messages m
     where m.account_id = ${accountId} and m.id = any(${messageIds}::bigint[])
       and m.status in ('pending', 'scheduled', 'deferred')
       and m.type is distinct from 'template'
       and (m.phone_id is null
            or exists (select from phones p
                        where p.account_id = m.account_id and p.id = m.phone_id
                          and p.connector = any(${windowedConnectors}::text[]))
               and not ${isWindowOpen(sql<number>`m.phone_id`, sql<string>`m.recipient`, tx.clock.now())})
     order by m.id
       for update
  `.execute(tx.db);
  const isOfLedger = (row: MessageRow) => (row.campaign_id ?? row.flow_id ?? row.bulk_run_id) !== null;
  const reason = windowClosedText;
  await failUnsent(tx, { accountId, rows: rows.filter(isOfLedger), reason, code: withdrawnCode });
  const others = rows.filter((row) => !isOfLedger(row));
  await failUnsent(tx, { accountId, rows: others, reason, code: 'window_closed' });
  const phoneIds = rows.flatMap(({ phone_id: phoneId }) => phoneId ?? []);
  await notify(tx.db, outboxNotifications([...new Set(phoneIds)]));
}
