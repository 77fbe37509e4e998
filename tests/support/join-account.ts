import type { Role } from '#contracts/roles.ts';
import type { Customer } from './customer.ts';
import type { TestApplication } from './application.ts';

/** Makes the person a member of the owner's account, working there; narrowed to `projectIds`, unless null. */
export async function joinAccount(
  { ctx }: TestApplication,
  owner: Customer,
  person: Customer,
  role: Role,
  projectIds: number[] | null = null,
): Promise<void> {
  const values = { account_id: owner.id, user_id: person.id, role, project_ids: projectIds, removed_at: null };
  await ctx.db.insertInto('memberships').values(values).execute();
  await ctx.db
    .updateTable('sessions')
    .set({ current_account_id: owner.id })
    .where('account_id', '=', person.id)
    .execute();
}
