import type { Report } from '#contracts/reports.ts';
import { formatTime } from '../time-format.ts';

type Hold = Report['holds'][number];
export type HoldBand = { label: string; times: string; left: number; width: number };

const labels: Readonly<Record<Hold['kind'], string>> = {
  paused: 'Paused',
  no_connected_phone: 'No connected phone',
  phones_inactive: 'Numbers switched off',
  sandbox_resting: 'Sandbox resting',
  daily_limit: 'Daily limit',
  subscription: 'No subscription',
  account_suspended: 'Account suspended',
  contact_capped: 'Beyond the caps',
  phone_allowance: 'Today’s allowance used up',
  phone_linked_recently: 'Number linked recently',
  phone_night: 'Night',
  phone_hourly: 'Hourly limit',
  phone_limited: 'Number limited',
  phone_capped: 'No new chats left',
  phone_locked: 'Account locked',
  phone_canary: 'One message being tried',
  portfolio_limit: 'People of 24 hours used up',
  phone_restricted: 'Number restricted',
  template_paused: 'Template paused',
  template_changed: 'Template changed',
  template_unusable: 'Template unusable',
};

/** Holds shorter than this share of what is shown would be a hair. */
const leastShare = 0.004;

/** The holds between two moments, `left` and `width` as shares of the time between them. */
export function holdBands(holds: readonly Hold[], from: number, until: number): HoldBand[] {
  const length = Math.max(1, until - from);
  return holds.flatMap((hold) => {
    const begin = Math.max(from, Date.parse(hold.began_at));
    const end = Math.min(until, hold.ended_at === null ? until : Date.parse(hold.ended_at));
    const width = (end - begin) / length;
    if (width <= leastShare) return [];
    const label = labels[hold.kind];
    const to = hold.ended_at === null ? 'now' : formatTime(hold.ended_at);
    return [{ label, times: `${formatTime(hold.began_at)} to ${to}`, left: (begin - from) / length, width }];
  });
}

/** 'Paused 12:24 to 12:29.' for those who do not see the bands. */
export const holdWords = (bands: readonly HoldBand[]): string =>
  bands.map(({ label, times }) => ` ${label} ${times}.`).join('');
