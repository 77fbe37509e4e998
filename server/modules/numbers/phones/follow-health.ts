import type { Tx } from '#server/context.ts';
import type { DomainEvent } from '#server/domain-events.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { findPhone, momentOf } from './queries.ts';
import { presentPhone } from './present.ts';

type HealthChange = Extract<DomainEvent, { type: 'phone.health_changed' }>;

const types = { limited: 'phone.limited', recovered: 'phone.recovered', other: undefined } as const;

/** Tells open pages that a phone stands otherwise with its network, and webhooks where that stops it or sets it free. */
export async function followPhoneHealth(tx: Tx, event: HealthChange): Promise<void> {
  const { accountId, projectId, phoneId, at } = event;
  await publishLive(tx, accountId, { type: 'phones.changed', project_id: projectId, phone_id: phoneId });
  const type = types[event.change];
  if (!type) return;
  const account = await tx.db
    .selectFrom('accounts')
    .select(['id', 'timezone'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const scoped = { ...tx, account };
  const phone = await findPhone(scoped, phoneId);
  if (!phone?.number) return;
  const data = await presentPhone(tx, phone, momentOf(scoped));
  await tx.onDomainEvents(tx, [{ type, accountId, projectId, at, data }]);
}
