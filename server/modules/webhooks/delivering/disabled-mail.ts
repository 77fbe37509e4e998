import { setTimeout as delay } from 'node:timers/promises';
import { layOutMail } from '#server/connectors/mail/lay-out-mail.ts';
import type { Context } from '#server/context.ts';
import type { DisabledEndpoint } from '#server/modules/projects/index.ts';

const tries = 3;
const pauseMs = 5_000;

/** Tells the owner that an endpoint was switched off. Never rejects: the project's page says it too. */
export async function mailDisabledEndpoint(ctx: Context, endpoint: DisabledEndpoint): Promise<void> {
  for (let attempt = 1; attempt <= tries; attempt += 1) {
    try {
      return await sendMail(ctx, endpoint);
    } catch (err) {
      ctx.logger.error({ err, project_id: endpoint.id, attempt }, 'an owner was not told of a webhook switched off');
      if (attempt < tries) await delay(pauseMs, undefined, { ref: false });
    }
  }
}

async function sendMail(ctx: Context, endpoint: DisabledEndpoint): Promise<void> {
  const account = await ctx.db
    .selectFrom('accounts')
    .select(['email', 'name', 'email_unconfirmed_since'])
    .where('id', '=', endpoint.account_id)
    .executeTakeFirst();
  // An address that nobody has confirmed may be a stranger's.
  if (!account || account.email_unconfirmed_since !== null) return;
  const mail = layOutMail({
    subject: 'A webhook was switched off',
    preview: endpoint.reason,
    heading: 'A webhook was switched off',
    name: account.name,
    paragraphs: [
      `Dovepost no longer sends events to the webhook URL of one of your projects. ${endpoint.reason}`,
      'Once it works again, save the URL in the settings of the project: that switches it on.',
    ],
    facts: [
      { term: 'Project', value: endpoint.name },
      { term: 'Webhook URL', value: endpoint.webhook_url },
    ],
    action: { label: 'Open the project', link: `${ctx.config.publicUrl}/projects/${endpoint.id}` },
    footnote: 'Events that happened meanwhile are not sent later.',
  });
  await ctx.mailer.send({ to: account.email, ...mail });
}
