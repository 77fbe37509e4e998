import type { Updateable } from 'kysely';
import type { PhoneStatus } from '#contracts/phone-numbers.ts';
import type { Tx } from '#server/context.ts';
import type { DomainEvent } from '#server/domain-events.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { presentPhone } from './present.ts';
import type { PhoneRow, PhonesTable } from './tables.ts';

export type PhoneChange = Updateable<PhonesTable>;

const statusEvents = {
  connected: 'phone.connected',
  disconnected: 'phone.disconnected',
  auth_failed: 'phone.auth_failed',
  banned: 'phone.banned',
  created: undefined,
} as const satisfies Record<PhoneStatus, DomainEvent['type'] | undefined>;

/** Writes columns of a phone that is locked, and announces what has become of it. */
export async function changePhone(
  tx: Tx,
  before: Pick<PhoneRow, 'account_id' | 'id' | 'status'>,
  change: PhoneChange,
): Promise<PhoneRow> {
  const row = await tx.db
    .updateTable('phones')
    .set(change)
    .where('account_id', '=', before.account_id)
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await announcePhone(tx, row, before.status);
  return row;
}

/** Notifies webhooks, the project and open pages of what has become of a phone. */
async function announcePhone(tx: Tx, row: PhoneRow, before: PhoneStatus): Promise<void> {
  const source = { accountId: row.account_id, projectId: row.project_id, at: tx.clock.now() };
  await publishLive(tx, row.account_id, { type: 'phones.changed', project_id: row.project_id, phone_id: row.id });
  if (row.status === before) return;
  const { timezone } = await tx.db
    .selectFrom('accounts')
    .select('timezone')
    .where('id', '=', row.account_id)
    .executeTakeFirstOrThrow();
  const type = statusEvents[row.status];
  const data = await presentPhone(tx, row, { now: source.at, timezone });
  await tx.onDomainEvents(tx, [
    ...(type && row.number ? [{ ...source, type, data }] : []),
    { ...source, type: 'phone.status_changed' },
  ]);
}
