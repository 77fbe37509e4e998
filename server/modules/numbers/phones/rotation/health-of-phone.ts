import { sql } from 'kysely';
import { heldUntil } from '../official/number-holds.ts';
import type { RotationPhone } from './assign-phones.ts';

type HealthOfPhone = Pick<
  RotationPhone,
  'is_paced' | 'was_refused' | 'is_sticky' | 'first_stopped_until' | 'all_stopped_until' | 'restricted_until'
>;

const of = (column: 'first_stopped_until' | 'all_stopped_until') =>
  sql`(select h.${sql.ref(column)} from phone_health h where h.phone_id = phones.id)`;

/** Columns of every query that the rotation reads, from a row of `phones`: how the phone's health bears on the choice. */
export const healthOfPhone = sql<HealthOfPhone>`
  exists (select from phone_health h where h.phone_id = phones.id and h.is_protected) as is_paced,
  (select r.is_sticky from projects r where r.account_id = phones.account_id and r.id = phones.project_id) as is_sticky,
  exists (select from phone_contacts c where c.phone_id = phones.id and c.refused_at is not null) as was_refused,
  ${of('first_stopped_until')} as first_stopped_until,
  greatest(${of('all_stopped_until')}, ${heldUntil('all')}) as all_stopped_until,
  ${heldUntil('all')} as restricted_until`;
