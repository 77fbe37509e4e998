import { formatDateTime } from '#web/shared/time-format.ts';

/** Columns whose names alone would not say what they are. */
const fields: Readonly<Record<string, string>> = {
  account_name: 'Name of the account',
  api_key: 'API key',
  assigned_to: 'Given to',
  confirms_opt_in: 'Confirms opt-ins',
  confirms_opt_out: 'Confirms opt-outs',
  delay_ms: 'Delay, ms',
  direct_first_contacts: 'New people a day by direct messages',
  events: 'Events',
  imports_history: 'Takes earlier chats over',
  is_active: 'Active',
  is_sticky: 'Same number for the same person',
  label_ids: 'Labels',
  marks_read: 'Marks as read',
  max_daily_messages: 'Messages a day',
  media_kept_days: 'Files kept, days',
  messages_kept_days: 'Messages kept, days',
  needs_opt_in: 'Asks for consent',
  opt_in_text: 'Text of the opt-in',
  opt_in_words: 'Words that opt in',
  opt_out_text: 'Text of the opt-out',
  opt_out_words: 'Words that opt out',
  project_id: 'Project',
  project_ids: 'Projects',
  recognizes_replies: 'Reads replies for words',
  requires_two_factor_since: 'Second factor asked for since',
  segment_id: 'Segment',
  shows_typing: 'Shows that somebody types',
  snoozed_until: 'Snoozed until',
  spread_minutes: 'Spread over, minutes',
  total_count: 'Rows',
  webhook_url: 'Webhook URL',
};

/** `max_daily_messages` → `Messages a day`; what has no words of its own is spelt. */
export const fieldText = (field: string): string => fields[field] ?? spelt(field);

const types: Readonly<Record<string, string>> = {
  alert_settings: 'Alerts',
  bulk_action: 'Change of many',
  consent: 'Consent',
  contact: 'WhatsApp contact',
  key: 'Project key',
  link_settings: 'Short links',
  message_cap: 'Limit of messages',
  opt_out_settings: 'Opt-out settings',
  phone: 'Number',
  suppression: 'Opt-out',
  user: 'Own sign-in',
  webhook: 'Webhook event',
  webhook_endpoint: 'Webhook endpoint',
  whatsapp_template: 'WhatsApp template',
};

/** `whatsapp_template` → `WhatsApp template` */
export const typeText = (type: string): string => types[type] ?? spelt(type);

function spelt(name: string): string {
  const text = name.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

type Named = { id: number; name: string };
/** Knows people and projects by their ids. */
export type Names = { members: readonly Named[]; projects: readonly Named[] };

const longestValue = 300;

/** A value of a change as a line of text. */
export function valueText(field: string, value: unknown, names: Names): string {
  if (value === null && field === 'project_ids') return 'all';
  if (Array.isArray(value) && field === 'label_ids') return value.length === 0 ? 'none' : String(value.length);
  if (typeof value === 'string' && field === 'status') return value.replaceAll('_', ' ');
  const known = field === 'assigned_to' ? names.members : /^project_ids?$/.test(field) ? names.projects : [];
  const text = textOf(value, (id) => known.find((each) => each.id === id)?.name);
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}

const isoMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

function textOf(value: unknown, nameOf: (id: number) => string | undefined): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return nameOf(value) ?? String(value);
  if (typeof value === 'string') return isoMoment.test(value) ? formatDateTime(value) : value;
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map((each) => textOf(each, nameOf)).join(', ');
  return Object.entries(value)
    .map(([name, each]) => `${name.replaceAll('_', ' ')}: ${textOf(each, nameOf)}`)
    .join(', ');
}
