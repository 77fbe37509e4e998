import { sql } from 'kysely';
import type { ProjectContext } from '#server/context.ts';
import {
  loadContacts,
  loadSenders,
  momentOf,
  presentHealth,
  recipientOf,
} from '#server/modules/numbers/health/index.ts';
import { findRotationPhones } from '#server/modules/numbers/phones/index.ts';

/**
 * Until when the project's phones have begun as many new chats as this day allows, where `to` would be one more; undefined
 * where it would not, or where a phone keeps no pace. Asked before the send: sends at the same moment may exceed it by as
 * many as they are.
 */
export async function firstContactsUsedUntil(ctx: ProjectContext, to: string): Promise<Date | undefined> {
  const { id: accountId, timezone } = ctx.account;
  const phones = await findRotationPhones(ctx, { accountId, projectIds: [ctx.project.id] });
  const usable = phones.filter((phone) => phone.status === 'connected' && phone.is_active && !phone.is_resting);
  if (usable.length === 0 || usable.some((phone) => !phone.is_paced)) return undefined;
  const phoneIds = usable.map(({ id }) => id);
  const moment = momentOf(ctx.clock.now(), timezone);
  const senders = await loadSenders(ctx, accountId, phoneIds, moment);
  const isLeft = [...senders.values()].some((sender) => {
    const { allowed, used } = presentHealth(sender, moment).allowances.first_contacts;
    return used < allowed;
  });
  if (isLeft) return undefined;
  const contacts = await loadContacts(ctx, phoneIds, [to]);
  if (phoneIds.some((phoneId) => recipientOf(contacts, phoneId, to).contact === 'known')) return undefined;
  const { rows } = await sql`
    select from phone_sends
     where phone_id = any(${phoneIds}::bigint[]) and phone_key = phone_key(${to}) and is_counted
       and at >= ${moment.day.startsAt}
     limit 1
  `.execute(ctx.db);
  return rows.length > 0 ? undefined : moment.day.endsAt;
}
