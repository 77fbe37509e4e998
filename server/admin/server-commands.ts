import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { listOperatorActs, recordOperatorAct } from '#server/modules/identity/operators/index.ts';
import { getProject } from '#server/modules/identity/projects/index.ts';
import { requeueWebhooks } from '#server/modules/messaging/webhooks/index.ts';
import { nobody } from '#server/modules/numbers/links/index.ts';
import { isLeaseHeld, leaseEnd } from '#server/modules/numbers/phones/index.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { isUnsent } from '#server/unsent.ts';
import { operatorName, readId, UsageError } from './run-command.ts';
import type { Answer, Command, Input } from './run-command.ts';

const mostHours = 24 * 7;

function readHours(input: Input, fallback: number): number {
  const text = input.option('hours') ?? String(fallback);
  if (!/^[1-9]\d{0,2}$/.test(text) || Number(text) > mostHours)
    throw new UsageError(`--hours: expected a number from 1 to ${mostHours}`);
  return Number(text);
}

/** Failed deliveries of an account are due again; of one project where it is given. */
async function requeue(ctx: Context, input: Input): Promise<Answer> {
  const accountId = readId(input.args[0]);
  const project = input.option('project');
  const hours = readHours(input, 24);
  const account = await ctx.db
    .selectFrom('accounts')
    .select(['id', 'timezone'])
    .where('id', '=', accountId)
    .executeTakeFirst();
  if (!account) throw new NotFoundError('Account');
  const accountCtx = { ...ctx, account, project: undefined };
  const projectId = project === undefined ? undefined : (await getProject(accountCtx, readId(project))).id;
  const since = new Date(ctx.clock.now().getTime() - hours * 3_600_000);
  const done = await requeueWebhooks(accountCtx, { projectId, since });
  await recordOperatorAct(ctx, {
    operator: operatorName(input),
    action: 'webhooks requeue',
    accountId,
    target: projectId === undefined ? `account ${accountId}` : `project ${projectId}`,
    details: { hours, ...done },
  });
  return done;
}

/** `overdue_s`: since when its next round should have begun. */
async function listJobs(ctx: Context): Promise<Answer> {
  const { rows } = await sql<Record<string, unknown>>`
    select name, last_success_at, next_run_at, failures, leased_until > clock_timestamp() as is_running,
           greatest(0, round(extract(epoch from clock_timestamp() - next_run_at)))::int as overdue_s
      from scheduled_jobs order by overdue_s desc, failures desc, name
  `.execute(ctx.db);
  return rows;
}

/** Accounts by what their messages made of work, the loudest first. */
async function listLoudest(ctx: Context, input: Input): Promise<Answer> {
  const { rows } = await sql<Record<string, unknown>>`
    with counted as (
      select account_id, sum(sent)::int as sent, sum(failed)::int as failed, sum(received)::int as received
        from message_counts where quarter_hour > now() - ${readHours(input, 1)} * interval '1 hour'
       group by account_id
    ), waiting as (
      select account_id, count(*)::int as waiting from messages where status = 'pending' and ${isUnsent()} group by account_id
    )
    select account_id, a.name, a.email, coalesce(c.sent, 0) as sent, coalesce(c.failed, 0) as failed,
           coalesce(c.received, 0) as received, coalesce(w.waiting, 0) as waiting
      from counted c full join waiting w using (account_id) join accounts a on a.id = account_id
     order by coalesce(c.sent, 0) + coalesce(c.failed, 0) + coalesce(c.received, 0) + coalesce(w.waiting, 0) desc
     limit 20
  `.execute(ctx.db);
  return rows;
}

/** The processes that hold phones, and how many. */
async function listWorkers(ctx: Context): Promise<Answer> {
  const { rows } = await sql<Record<string, unknown>>`
    select coalesce(w.owner, l.owner) as worker, w.seen_at, coalesce(l.phones, 0) as phones, w.most, l.oldest_lease_until
      from phone_workers w
      full join (select owner, count(*)::int as phones, min(${leaseEnd()}) as oldest_lease_until
                   from phone_leases l where ${isLeaseHeld()} and l.owner <> ${nobody} group by owner) l on l.owner = w.owner
     where w.owner is null or w.seen_at > clock_timestamp() - interval '1 minute'
     order by phones desc
  `.execute(ctx.db);
  return rows;
}

export const serverCommands: readonly Command[] = [
  {
    words: 'webhooks requeue',
    usage: 'ACCOUNT [--project ID] [--hours N]',
    summary: 'failed deliveries of the last 24 hours are due again, 1,000 a call',
    takes: 1,
    options: ['project', 'hours'],
    run: requeue,
  },
  {
    words: 'jobs list',
    usage: '',
    summary: 'jobs of the schedule: last success, failures, how long overdue',
    takes: 0,
    run: listJobs,
  },
  {
    words: 'workers list',
    usage: '',
    summary: 'the processes that hold phones, and how many',
    takes: 0,
    run: listWorkers,
  },
  {
    words: 'figures loudest',
    usage: '[--hours N]',
    summary: 'the accounts with most messages in the last hour',
    takes: 0,
    options: ['hours'],
    run: listLoudest,
  },
  {
    words: 'acts list',
    usage: '[--account ID]',
    summary: 'what operators did by this tool, the newest first',
    takes: 0,
    options: ['account'],
    run(ctx, { option }) {
      const account = option('account');
      return listOperatorActs(ctx, { accountId: account === undefined ? undefined : readId(account), limit: 200 });
    },
  },
];
