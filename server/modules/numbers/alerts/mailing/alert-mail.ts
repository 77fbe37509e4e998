import { layOutMail } from '#server/connectors/mail/lay-out-mail.ts';
import type { Mail } from '#server/connectors/mail/port.ts';
import type { AlertRow } from '../list-alerts.ts';
import { wordsOf } from '../list-alerts.ts';

export type AlertMail = {
  to: string;
  accountName: string;
  timezone: string;
  publicUrl: string;
  /** At least one. */
  alerts: readonly AlertRow[];
};

/** Composes a mail of all alerts due at the same time. */
export function composeAlertMail({ to, accountName, timezone, publicUrl, alerts }: AlertMail): Mail {
  const worded = alerts.map((alert) => ({ alert, ...wordsOf(alert, timezone) }));
  const [first, ...others] = worded;
  if (!first) throw new Error('A mail about nothing');
  const title = others.length === 0 ? first.title : `${first.title}, and ${others.length} more`;
  return {
    to,
    ...layOutMail({
      subject: title,
      preview: first.text,
      heading: others.length === 0 ? first.title : `${worded.length} things have changed`,
      name: accountName,
      paragraphs: others.length === 0 ? [first.text] : worded.map((each) => `${each.title}. ${each.text}`),
      action:
        others.length === 0 ? actionOf(first.alert, publicUrl) : { label: 'Open the dashboard', link: `${publicUrl}/` },
      footnote: `Which of these mails you get is up to you: ${publicUrl}/settings/notifications has a switch for each.`,
    }),
  };
}

function actionOf({ kind, project_id: projectId, subject_id: subjectId }: AlertRow, publicUrl: string) {
  switch (kind) {
    case 'phone_limited':
    case 'daily_limit_reached':
    case 'first_contacts_low':
    case 'first_contacts_used':
      return { label: 'Open the phone number', link: `${publicUrl}/phone-numbers/${subjectId}` };
    case 'phone_lost':
      return { label: 'Open the phone numbers', link: `${publicUrl}/projects/${projectId}/phone-numbers` };
    case 'campaign_waiting':
    case 'campaign_failed':
      return { label: 'Open the campaign', link: `${publicUrl}/campaigns/${subjectId}` };
    case 'webhook_failing':
      return { label: 'Open the project', link: `${publicUrl}/projects/${projectId}` };
    case 'import_done':
      return { label: 'Open the report', link: `${publicUrl}/profiles/import?id=${subjectId}` };
  }
}
