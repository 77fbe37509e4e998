import { sql } from 'kysely';
import { schemaPattern } from '#server/config.ts';
import type { Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { allowProjects, resumeAccount, suspendAccount } from '#server/modules/identity/accounts/index.ts';
import { grantAccess } from '#server/modules/identity/billing/index.ts';
import { listOperatorActs, recordOperatorAct } from '#server/modules/identity/operators/index.ts';
import { deleteByOperator } from '#server/modules/outreach/account-data/index.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { moveAccounts } from './move-accounts.ts';
import { openDatabase } from './open-product.ts';
import { operatorName, readId, UsageError } from './run-command.ts';
import type { Answer, Command, Input } from './run-command.ts';

const mostFound = 50;

/** By id, or by what its e-mail or name contains. */
async function findAccounts(ctx: Context, text: string): Promise<Answer> {
  const id = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  const like = `%${text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const { rows } = await sql<Record<string, unknown>>`
    select id, name, email, created_at, access_until, suspended_at from accounts
     where id = ${id} or email_key like ${like} or lower(name) like ${like}
     order by id limit ${mostFound}
  `.execute(ctx.db);
  return rows.map(withEnd);
}

/** JSON knows no infinity, and would say null, as it does where there is no access. */
const withEnd = (row: Record<string, unknown>) => ({
  ...row,
  access_until: row['access_until'] === Infinity ? 'infinity' : row['access_until'],
});

async function showAccount(ctx: Context, accountId: number): Promise<Answer> {
  const { rows } = await sql<Record<string, unknown>>`
    select a.id, a.name, a.email, a.created_at, a.timezone, a.access_until, a.suspended_at, a.suspension_reason,
           a.deletes_at, a.deleted_at, a.project_limit,
           (select count(*)::int from projects p where p.account_id = a.id) as projects,
           (select count(*)::int from sessions s where s.account_id = a.id) as sessions,
           (select max(last_used_at) from sessions s where s.account_id = a.id) as last_seen_at,
           (select coalesce(sum(sent + failed), 0)::int from message_counts c
             where c.account_id = a.id and c.quarter_hour > now() - interval '1 day') as sent_today,
           (select coalesce(json_agg(json_build_object('id', id, 'number', number, 'connector', connector, 'status', status,
                                                       'error', error) order by id), '[]')
              from phones p where p.account_id = a.id and number is not null) as phones,
           (select coalesce(json_agg(json_build_object('provider', provider, 'status', status,
                                                       'access_until', access_until) order by id), '[]')
              from subscriptions s where s.account_id = a.id and started_at is not null) as subscriptions
      from accounts a where a.id = ${accountId}
  `.execute(ctx.db);
  if (!rows[0]) throw new NotFoundError('Account');
  return { ...withEnd(rows[0]), acts: await listOperatorActs(ctx, { accountId, limit: 10 }) };
}

/** Does it and writes it down, or neither. */
async function act(
  ctx: Context,
  input: Input,
  { action, details = {} }: { action: string; details?: Record<string, unknown> },
  work: (tx: Tx, accountId: number) => Promise<void>,
): Promise<Answer> {
  const accountId = readId(input.args[0]);
  await inTransaction(ctx, async (tx) => {
    const accounts = tx.db.selectFrom('accounts').select('id').where('id', '=', accountId);
    const account = await accounts.where('deleted_at', 'is', null).executeTakeFirst();
    if (!account) throw new NotFoundError('Account');
    await work(tx, accountId);
    await recordOperatorAct(tx, {
      operator: operatorName(input),
      action,
      accountId,
      target: `account ${accountId}`,
      details,
    });
  });
  return showAccount(ctx, accountId);
}

function readReason(input: Input): string {
  const reason = input.option('reason')?.trim() ?? '';
  if (reason === '' || reason.length > 500) {
    throw new UsageError('--reason: expected a sentence of at most 500 characters; the people of the account read it');
  }
  return reason;
}

function readProjects(input: Input): number {
  const projects = input.option('projects') ?? '';
  if (!/^\d{1,4}$/.test(projects)) throw new UsageError('--projects: expected a number from 0 to 9999');
  return Number(projects);
}

function readEnd(ctx: Context, input: Input): Date {
  const days = input.option('days');
  if (days === undefined || !/^[1-9]\d{0,3}$/.test(days))
    throw new UsageError('--days: expected a number from 1 to 9999');
  return new Date(ctx.clock.now().getTime() + Number(days) * 86_400_000);
}

async function deleteAccount(ctx: Context, input: Input): Promise<Answer> {
  const accountId = readId(input.args[0]);
  const reason = readReason(input);
  const days = input.option('days') ?? '14';
  if (!/^\d{1,3}$/.test(days)) throw new UsageError('--days: expected a number from 0 to 999');
  const account = await ctx.db
    .selectFrom('accounts')
    .select(['id', 'timezone'])
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!account) throw new NotFoundError('Account');
  const done = {
    operator: operatorName(input),
    action: 'accounts delete',
    accountId,
    target: `account ${accountId}`,
    details: { reason, days: Number(days) },
  };
  await deleteByOperator(
    { ...ctx, account, project: undefined },
    { days: Number(days), reason, record: (tx) => recordOperatorAct(tx, done) },
  );
  return showAccount(ctx, accountId);
}

async function move(ctx: Context, input: Input): Promise<Answer> {
  const to = input.option('to') ?? '';
  if (!schemaPattern.test(to)) throw new UsageError('--to: expected the DATABASE_SCHEMA of the other cell');
  const accountIds = (input.args[0] ?? '').split(',').map(readId);
  const database = await openDatabase(ctx.config, ctx.logger);
  try {
    const connectionString = database.ownerConnectionString;
    return await moveAccounts(ctx, { connectionString, accountIds, to, operator: operatorName(input) });
  } finally {
    await database.stop();
  }
}

export const accountCommands: readonly Command[] = [
  {
    words: 'accounts find',
    usage: 'TEXT',
    summary: 'accounts by id, or by a part of the name or the e-mail',
    takes: 1,
    run: (ctx, { args }) => findAccounts(ctx, args[0] ?? ''),
  },
  {
    words: 'accounts show',
    usage: 'ID',
    summary: 'an account with its phones, subscriptions and what operators did to it',
    takes: 1,
    run: (ctx, { args }) => showAccount(ctx, readId(args[0])),
  },
  {
    words: 'accounts suspend',
    usage: 'ID --reason TEXT',
    summary: 'stops what it sends; its people read why, and may only read',
    takes: 1,
    options: ['reason'],
    run(ctx, input) {
      const reason = readReason(input);
      return act(ctx, input, { action: 'accounts suspend', details: { reason } }, (tx, accountId) =>
        suspendAccount(tx, { accountId, reason }),
      );
    },
  },
  {
    words: 'accounts resume',
    usage: 'ID',
    summary: 'lifts a suspension; what waited goes on',
    takes: 1,
    run: (ctx, input) =>
      act(ctx, input, { action: 'accounts resume' }, (tx, accountId) => resumeAccount(tx, { accountId })),
  },
  {
    words: 'accounts delete',
    usage: 'ID --reason TEXT [--days N]',
    summary:
      'suspends it, cancels its subscription, signs its phones out, and deletes it in 14 days, or N; resume keeps it until then',
    takes: 1,
    options: ['reason', 'days'],
    run: deleteAccount,
  },
  {
    words: 'accounts allow-projects',
    usage: 'ID --projects N',
    summary: 'lets it have so many projects where its plan has fewer; 0: as many as its plan',
    takes: 1,
    options: ['projects'],
    run(ctx, input) {
      const projects = readProjects(input);
      return act(ctx, input, { action: 'accounts allow-projects', details: { projects } }, (tx, accountId) =>
        allowProjects(tx, { accountId, limit: projects || null }),
      );
    },
  },
  {
    words: 'accounts move',
    usage: 'ID[,ID…] --to SCHEMA',
    summary: 'takes an account to another cell of the database; its sending pauses for a minute or more',
    takes: 1,
    options: ['to'],
    run: move,
  },
  {
    words: 'accounts grant',
    usage: 'ID --days N',
    summary: 'opens the product for so many days without a payment',
    takes: 1,
    options: ['days'],
    run(ctx, input) {
      const until = readEnd(ctx, input);
      return act(ctx, input, { action: 'accounts grant', details: { until } }, (tx, accountId) =>
        grantAccess(tx, { accountId, until }),
      );
    },
  },
];
