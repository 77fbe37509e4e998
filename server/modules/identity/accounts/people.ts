import type { Permission } from '#contracts/permissions.ts';
import { rolesThatMay } from '#contracts/roles.ts';
import type { Mail } from '#server/connectors/mail/port.ts';
import type { Context } from '#server/context.ts';
import { sendMail } from '#server/modules/identity/mails/index.ts';

export type Person = { id: number; name: string; email: string };

type Wanted = {
  accountId: number;
  /** The permission that a member's role must include. */
  permission: Permission;
  /**
   * The projects that the mail is about: only members who see them all get it. Undefined: members who see all projects.
   */
  projectIds?: readonly number[];
};

/**
 * The members who get the account's mail about what `permission` covers, by id. To an address that nobody has confirmed
 * goes nothing but the mail that asks for it.
 */
export async function findPeople(ctx: Context, { accountId, permission, projectIds }: Wanted): Promise<Person[]> {
  const rows = await ctx.db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['users.id', 'users.name', 'users.email', 'members.project_ids'])
    .where('members.account_id', '=', accountId)
    .where('members.role', 'in', rolesThatMay(permission))
    .where('users.email_unconfirmed_since', 'is', null)
    .orderBy('users.id')
    .execute();
  return rows.filter(
    ({ project_ids: own }) => own === null || (projectIds ?? []).some((projectId) => own.includes(projectId)),
  );
}

/**
 * Mails each of them. The first mail rejects where the mail server does not take it, so that the caller tries again
 * later; the others are then stored and sent by the worker.
 */
export async function mailPeople(
  ctx: Context,
  people: readonly Person[],
  { compose, usefulForMs }: { compose: (person: Person) => Omit<Mail, 'to'>; usefulForMs: number },
): Promise<void> {
  const [first, ...others] = people;
  if (!first) return;
  await ctx.mailer.send({ ...compose(first), to: first.email });
  for (const person of others) await sendMail(ctx, { mail: { ...compose(person), to: person.email }, usefulForMs });
}
