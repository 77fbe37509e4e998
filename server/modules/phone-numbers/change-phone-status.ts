import type { PhoneStatus } from '#contracts/phone-numbers.ts';
import type { Tx } from '#server/context.ts';
import type { DomainEvent } from '#server/domain-events.ts';
import { publishLive } from '#server/modules/live/index.ts';
import { localDay } from '#server/platform/local-day.ts';
import { presentPhone } from './present.ts';
import type { PhoneRow } from './present.ts';

const statusEvents = {
  connected: 'phone.connected',
  disconnected: 'phone.disconnected',
  auth_failed: 'phone.auth_failed',
  banned: 'phone.banned',
  created: undefined,
} as const satisfies Record<PhoneStatus, DomainEvent['type'] | undefined>;

/** Tells webhooks, the project and open pages what has become of a phone, in the transaction that changed it. */
export async function announcePhone(tx: Tx, row: PhoneRow, before: PhoneStatus): Promise<void> {
  const source = { accountId: row.account_id, projectId: row.project_id, at: tx.clock.now() };
  await publishLive(tx, row.account_id, { type: 'phones.changed', project_id: row.project_id, phone_id: row.id });
  if (row.status === before) return;
  const { timezone } = await tx.db
    .selectFrom('accounts')
    .select('timezone')
    .where('id', '=', row.account_id)
    .executeTakeFirstOrThrow();
  const type = statusEvents[row.status];
  const data = await presentPhone(tx, row, localDay(source.at, timezone));
  await tx.onDomainEvents(tx, [
    ...(type && row.number ? [{ ...source, type, data }] : []),
    { ...source, type: 'phone.status_changed' },
  ]);
}
