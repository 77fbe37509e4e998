import type { Permission } from '#contracts/permissions.ts';
import { rolesThatMay } from '#contracts/roles.ts';
import { AddressRefusedError } from '#server/connectors/mail/port.ts';
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
 * Mails each of them. Rejects where the mail server takes nothing, so that the caller tries again later; once it has taken
 * a mail, the others are stored and sent by the worker. An address that it refuses keeps nobody else from their mail.
 */
export async function mailPeople(
  ctx: Context,
  people: readonly Person[],
  { compose, usefulForMs }: { compose: (person: Person) => Omit<Mail, 'to'>; usefulForMs: number },
): Promise<void> {
  const mailOf = (person: Person) => ({ ...compose(person), to: person.email });
  const refusals: AddressRefusedError[] = [];
  for (const [place, person] of people.entries()) {
    try {
      await ctx.mailer.send(mailOf(person));
    } catch (error) {
      if (!(error instanceof AddressRefusedError)) throw error;
      ctx.logger.warn({ err: error, userId: person.id }, 'the mail server takes nothing for an address');
      refusals.push(error);
      continue;
    }
    for (const other of people.slice(place + 1)) await sendMail(ctx, { mail: mailOf(other), usefulForMs });
    return;
  }
  const [refusal] = refusals;
  if (refusal) throw refusal;
}
