import { sql } from 'kysely';
import { connectorsThat, isSimulated } from '#contracts/connectors.ts';
import type { Tx } from '#server/context.ts';
import { recordRealPhone } from '#server/modules/identity/projects/index.ts';
import type { PhoneRow } from '../tables.ts';

/** Whether a row of `phones` is a sandbox that has stepped back: a column of every query that the rotation reads. */
export const isResting = sql<boolean>`(phones.connector = any(${connectorsThat((traits) => traits.isSimulated)}::text[]) and exists (
  select from projects
   where projects.account_id = phones.account_id and projects.id = phones.project_id
     and projects.real_phone_since is not null))`;

/**
 * A phone has been connected: the first one that is no sandbox lets the project's sandboxes rest for good, so that no
 * message to a real customer is ever 'sent' by a sandbox because a line dropped.
 */
export async function restSandboxes(tx: Tx, phone: PhoneRow): Promise<void> {
  if (isSimulated(phone.connector)) return;
  await recordRealPhone(tx, { accountId: phone.account_id, projectId: phone.project_id });
}
