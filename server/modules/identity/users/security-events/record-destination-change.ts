import type { AccountEventType } from '#contracts/security-events.ts';
import { findPeople } from '#server/modules/identity/accounts/index.ts';
import { layOutMail } from '#server/connectors/mail/lay-out-mail.ts';
import type { AccountContext } from '#server/context.ts';
import { attemptKey, takeAttempt } from '../attempts.ts';
import { sendSecurityMail } from '../in-background.ts';
import type { Origin } from '../origin.ts';
import { recordSecurityEvent } from './record-security-event.ts';

/** The change as a sentence of the mail has it. */
const sentences = {
  account_key_created: 'A key of the account was made',
  project_key_created: 'A key of a project was made',
  project_key_rotated: 'A key of a project was replaced',
  auth_key_rotated: 'The auth key of a project was replaced',
  webhook_secret_rotated: 'The signing secret of a webhook endpoint was replaced',
  webhook_endpoint_added: 'A webhook endpoint was added',
  webhook_endpoint_changed: 'The URL of a webhook endpoint was changed',
  webhook_endpoint_deleted: 'A webhook endpoint was removed',
  proxy_changed: 'The proxy of a phone number was changed',
  data_exported: 'Data was exported as CSV',
} as const satisfies Partial<Record<AccountEventType, string>>;

type DestinationChange = { type: keyof typeof sentences; origin: Origin; detail: string };

/** The security events have them all; further mails of a type would only hide the first. */
const mostMails = { max: 3, windowMs: 60 * 60_000 };

/**
 * A security event and a mail about where an account's data goes: an endpoint, a proxy, an export, a key. In the
 * transaction of the change.
 */
export async function recordDestinationChange(ctx: AccountContext, change: DestinationChange): Promise<void> {
  const { type, origin, detail } = change;
  const accountId = ctx.account.id;
  await recordSecurityEvent(ctx, { accountId, type, origin, detail });
  if ((await takeAttempt(ctx, attemptKey('destination-mail', String(accountId), type), mostMails)) !== undefined)
    return;
  const sentence = sentences[type];
  const compose = (name: string) =>
    layOutMail({
      subject: `Dovepost: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`,
      preview: 'If it was not you, act now.',
      heading: sentence,
      name,
      paragraphs: [`${sentence} in your Dovepost account.`],
      facts: [
        { term: 'About', value: detail },
        { term: 'From', value: origin.ip },
      ],
      action: { label: 'See security events', link: `${ctx.config.publicUrl}/settings/security` },
      footnote: 'If it was not you, reset your password and replace the keys of your projects.',
    });
  const people = await findPeople(ctx, { accountId, permission: 'account:write' });
  for (const { email, name } of people) await sendSecurityMail(ctx, { email, isConfirmed: true }, compose(name));
}
