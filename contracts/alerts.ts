import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { Id, IdParam, Timestamp } from './page.ts';

/**
 * The alerts that an account gets, once per occasion. `first_contacts_low` and `first_contacts_used`: direct messages
 * have used 80 % and all of a phone's first contacts of the day.
 */
export const AlertKind = z.enum([
  'phone_lost',
  'phone_limited',
  'campaign_waiting',
  'campaign_failed',
  'webhook_failing',
  'import_done',
  'daily_limit_reached',
  'first_contacts_low',
  'first_contacts_used',
]);
export type AlertKind = z.infer<typeof AlertKind>;

/** Each kind in a few words, where nothing is said of what it is about. */
export const alertTitles: Readonly<Record<AlertKind, string>> = {
  phone_lost: 'A phone lost its link',
  phone_limited: 'A phone is limited',
  daily_limit_reached: 'The daily maximum is reached',
  first_contacts_low: 'First contacts run low',
  first_contacts_used: 'First contacts are used',
  campaign_waiting: 'A campaign waits for long',
  campaign_failed: 'A campaign failed',
  webhook_failing: 'Webhooks fail',
  import_done: 'An import is done',
};

export const Alert = z.object({
  id: Id.describe('Its id.'),
  kind: AlertKind,
  project_id: Id.nullable().describe('Of which project; null for what is of the account.'),
  subject_id: Id.describe('The phone, campaign, webhook endpoint or import that it is about, by `kind`.'),
  title: z.string().describe('What has happened, in a few words.'),
  text: z.string().describe('What it means and what to do, in a sentence or two.'),
  began_at: Timestamp.describe('When the occasion began.'),
  ended_at: Timestamp.nullable().describe('When it was over; null while it lasts.'),
});
export type Alert = z.infer<typeof Alert>;

const Channels = z.object({
  mail: z.boolean().describe('Told by mail when it begins, and when it is over.'),
  dashboard: z.boolean().describe("Shown on the dashboard under 'Needs attention'."),
});

const settingsOf = <T extends z.ZodType>(channels: T) =>
  z.object({
    phone_lost: channels.describe('An active phone lost its link, or was banned.'),
    phone_limited: channels.describe('WhatsApp limits a phone.'),
    campaign_waiting: channels.describe('A campaign has waited for over an hour.'),
    campaign_failed: channels.describe('A campaign failed.'),
    webhook_failing: channels.describe('Every attempt at an endpoint has failed for an hour.'),
    import_done: channels.describe('An import is over.'),
    daily_limit_reached: channels.describe('A phone has sent its daily maximum.'),
    first_contacts_low: channels.describe("Direct messages used 80 % of a phone's first contacts of the day."),
    first_contacts_used: channels.describe("Direct messages used all of a phone's first contacts of the day."),
  } satisfies Record<AlertKind, T>);

/** Which kinds of occasions are told, and where. */
export const AlertSettings = settingsOf(Channels);
export type AlertSettings = z.infer<typeof AlertSettings>;

export const AlertSettingsChange = settingsOf(Channels.partial().optional());
export type AlertSettingsChange = z.output<typeof AlertSettingsChange>;

export const listAlerts = endpoint({
  method: 'GET',
  path: '/api/alerts',
  reads: 'page',
  callers: ['user', 'api_key'],
  permission: 'account:read',
  needsSubscription: true,
  summary: 'What needs attention, or did: the latest 100, newest first',
  query: z.object({
    status: z.enum(['open', 'ended']).default('open').describe('`ended`: what is over, for 30 days.'),
  }),
  response: {
    200: z.object({
      data: z.array(Alert).describe('The entries.'),
      hidden_kinds: z.array(AlertKind).describe('Kinds that the settings keep off the dashboard.'),
    }),
  },
});

export const dismissAlert = endpoint({
  method: 'DELETE',
  path: '/api/alerts/{alertId}',
  audit: 'alert.dismissed',
  callers: ['user', 'api_key'],
  permission: 'account:write',
  needsSubscription: true,
  summary: 'Take an alert off the list; the next occasion is told again',
  params: z.object({ alertId: IdParam.describe('Which alert.') }),
  response: { 204: undefined },
});

export const getAlertSettings = endpoint({
  method: 'GET',
  path: '/api/alert-settings',
  callers: ['user', 'api_key'],
  permission: 'account:read',
  needsSubscription: true,
  summary: 'Which occasions are told by mail and on the dashboard',
  response: { 200: AlertSettings },
});

export const updateAlertSettings = endpoint({
  method: 'PUT',
  path: '/api/alert-settings',
  audit: 'alert_settings.changed',
  callers: ['user', 'api_key'],
  permission: 'account:write',
  needsSubscription: true,
  summary: 'Change what the body names',
  body: AlertSettingsChange,
  response: { 200: AlertSettings },
});
