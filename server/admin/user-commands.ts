import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { recordOperatorAct } from '#server/modules/identity/operators/index.ts';
import { resetTwoFactor } from '#server/modules/identity/users/index.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { operatorName } from './run-command.ts';
import type { Answer, Command, Input } from './run-command.ts';

const mostFound = 50;

/** A person's rows are those of the account with the same id, whichever accounts they work in. */
async function findUsers(ctx: Context, text: string): Promise<Record<string, unknown>[]> {
  const id = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  const like = `%${text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const { rows } = await sql<Record<string, unknown>>`
    select a.id, a.name, a.email, a.email_unconfirmed_since is null as email_confirmed,
           exists (select from totp_factors f where f.account_id = a.id and f.confirmed_at is not null) as authenticator,
           (select count(*)::int from passkeys k where k.account_id = a.id) as passkeys,
           (select max(last_used_at) from sessions s where s.account_id = a.id) as last_seen_at,
           (select coalesce(json_agg(json_build_object('account', m.account_id, 'role', m.role) order by m.account_id), '[]')
              from members m where m.user_id = a.id) as works_in
      from accounts a
     where a.deleted_at is null and (a.id = ${id} or a.email_key like ${like} or lower(a.name) like ${like})
     order by a.id limit ${mostFound}
  `.execute(ctx.db);
  return rows;
}

/** By id, or by the whole address. */
async function findUser(ctx: Context, text: string): Promise<{ id: number }> {
  const user = await ctx.db
    .selectFrom('accounts')
    .select('id')
    .where('deleted_at', 'is', null)
    .where(({ eb, or }) =>
      or([eb('id', '=', /^\d{1,15}$/.test(text) ? Number(text) : 0), eb('email_key', '=', text.toLowerCase())]),
    )
    .executeTakeFirst();
  if (!user) throw new NotFoundError('User');
  return user;
}

async function reset(ctx: Context, input: Input): Promise<Answer> {
  const { id } = await findUser(ctx, input.args[0] ?? '');
  await inTransaction(ctx, async (tx) => {
    await resetTwoFactor(tx, id);
    await recordOperatorAct(tx, {
      operator: operatorName(input),
      action: 'users reset-two-factor',
      accountId: id,
      target: `user ${id}`,
      details: {},
    });
  });
  return (await findUsers(ctx, String(id))).find((user) => user['id'] === id) ?? {};
}

export const userCommands: readonly Command[] = [
  {
    words: 'users find',
    usage: 'TEXT',
    summary: 'people by id, or by a part of the name or the e-mail, with their accounts and second factors',
    takes: 1,
    run: (ctx, { args }) => findUsers(ctx, args[0] ?? ''),
  },
  {
    words: 'users reset-two-factor',
    formerly: 'accounts reset-two-factor',
    usage: 'ID|EMAIL',
    summary: 'removes the second factors of a person, who is told by mail; make sure who asks for it',
    takes: 1,
    run: reset,
  },
];
