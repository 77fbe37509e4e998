import { sql } from 'kysely';
import { layOutMail } from '#server/connectors/mail/lay-out-mail.ts';
import type { Context, Tx } from '#server/context.ts';
import { findPeople, mailPeople } from '#server/modules/identity/accounts/index.ts';
import { retryAt } from '#server/platform/backoff.ts';
import type { SwitchedOffEndpoint } from './save-endpoint-verdicts.ts';

/** How long a notice waits when the process that took it died while it sent. */
const leaseMs = 5 * 60_000;
/** A mail that nobody took for so long has no news any more: the project's page says it too. */
const staleMs = 5 * 86_400_000;

type EndpointNotice = {
  account_id: number;
  project_id: number;
  reason: string;
  /** Of an endpoint other than the project's first. */
  url: string | null;
  occurred_at: Date;
  attempts: number;
};

/** Owes the owner of each endpoint a mail, in the transaction that switched it off. */
export async function recordEndpointNotices(tx: Tx, disabled: readonly SwitchedOffEndpoint[]): Promise<void> {
  if (disabled.length === 0) return;
  const now = tx.clock.now();
  await sql`
    insert into webhook_notices (account_id, project_id, reason, url, occurred_at, next_attempt_at)
    select distinct on (account_id, project_id) account_id, project_id, reason, url, ${now}::timestamptz, ${now}::timestamptz
      from unnest(${disabled.map(({ account_id }) => account_id)}::bigint[], ${disabled.map(({ project_id }) => project_id)}::bigint[],
                  ${disabled.map(({ reason }) => reason)}::text[], ${disabled.map(({ url }) => url)}::text[])
             as x (account_id, project_id, reason, url)
    on conflict (account_id, project_id) do update
       set reason = excluded.reason, url = excluded.url, occurred_at = excluded.occurred_at, next_attempt_at = excluded.next_attempt_at,
           attempts = 0
  `.execute(tx.db);
}

/** Sends what is due, one mail at a time, until nothing is left or `isStopped`. Any number of processes may run it. */
export async function sendEndpointNotices(ctx: Context, isStopped: () => boolean): Promise<void> {
  while (!isStopped()) {
    const notice = await claimNotice(ctx);
    if (!notice) return;
    await sendNotice(ctx, notice);
  }
}

async function claimNotice(ctx: Context): Promise<EndpointNotice | undefined> {
  const now = ctx.clock.now();
  const { rows } = await sql<EndpointNotice>`
    update webhook_notices n
       set next_attempt_at = ${new Date(now.getTime() + leaseMs)}, attempts = n.attempts + 1
      from (select account_id, project_id from webhook_notices
             where next_attempt_at <= ${now}
             order by next_attempt_at limit 1 for update skip locked) as due
     where n.account_id = due.account_id and n.project_id = due.project_id
    returning n.account_id, n.project_id, n.reason, n.url, n.occurred_at, n.attempts
  `.execute(ctx.db);
  return rows[0];
}

async function sendNotice(ctx: Context, notice: EndpointNotice): Promise<void> {
  const now = ctx.clock.now();
  try {
    await mailMembers(ctx, notice);
    await removeNotice(ctx, notice);
  } catch (err) {
    const isHopeless = now.getTime() - notice.occurred_at.getTime() > staleMs;
    ctx.logger.error({ err, projectId: notice.project_id, isHopeless }, 'a webhook notice could not be mailed');
    if (isHopeless) await removeNotice(ctx, notice);
    else await postpone(ctx, notice, retryAt(now, notice.attempts));
  }
}

/** A notice must not be older than the stored state: the endpoint may have been disabled again. */
const standing = ({ account_id: accountId, project_id: projectId, occurred_at: occurredAt }: EndpointNotice) =>
  sql`account_id = ${accountId} and project_id = ${projectId} and occurred_at = ${occurredAt}`;

async function removeNotice(ctx: Context, notice: EndpointNotice): Promise<void> {
  await sql`delete from webhook_notices where ${standing(notice)}`.execute(ctx.db);
}

async function postpone(ctx: Context, notice: EndpointNotice, until: Date): Promise<void> {
  await sql`update webhook_notices set next_attempt_at = ${until} where ${standing(notice)}`.execute(ctx.db);
}

async function mailMembers(ctx: Context, notice: EndpointNotice): Promise<void> {
  const row = await ctx.db
    .selectFrom('projects')
    .select(['projects.name', 'projects.webhook_url'])
    .where('projects.account_id', '=', notice.account_id)
    .where('projects.id', '=', notice.project_id)
    // Its URL has been saved again: that is no news any more.
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('webhook_endpoints')
          .select('webhook_endpoints.id')
          .whereRef('webhook_endpoints.account_id', '=', 'projects.account_id')
          .whereRef('webhook_endpoints.project_id', '=', 'projects.id')
          .where('webhook_endpoints.disabled_at', 'is not', null)
          .where((where) =>
            notice.url === null
              ? where('webhook_endpoints.is_first', '=', true)
              : where('webhook_endpoints.url', '=', notice.url),
          ),
      ),
    )
    .executeTakeFirst();
  if (!row) return;
  const compose = ({ name }: { name: string }) =>
    layOutMail({
      subject: 'A webhook was switched off',
      preview: notice.reason,
      heading: 'A webhook was switched off',
      name,
      paragraphs: [
        `Dovepost no longer sends events to the webhook URL of one of your projects. ${notice.reason}`,
        'Once it works again, save the URL in the settings of the project: that switches it on.',
      ],
      facts: [
        { term: 'Project', value: row.name },
        { term: 'Webhook URL', value: notice.url ?? row.webhook_url ?? '' },
      ],
      action: { label: 'Open the project', link: `${ctx.config.publicUrl}/projects/${notice.project_id}` },
      footnote: 'Events that happen meanwhile are kept: they can be replayed, and read by their sequence.',
    });
  const { account_id: accountId, project_id: projectId } = notice;
  const people = await findPeople(ctx, { accountId, permission: 'webhooks:write', projectIds: [projectId] });
  await mailPeople(ctx, people, { compose, usefulForMs: staleMs });
}
