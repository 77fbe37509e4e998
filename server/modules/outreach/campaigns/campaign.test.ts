import { describe, expect, test } from 'vitest';
import { CampaignStatus } from '#contracts/campaigns.ts';
import { cancel, conclude, edit, firstStatus, isDone, pause, resume, snapshotTaken } from './campaign.ts';
import type { CampaignEdit, CampaignRow, CampaignStep } from './campaign.ts';

const now = new Date('2026-11-21T10:00:00Z');
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

const running: CampaignRow = {
  account_id: 1,
  id: 2,
  project_id: 3,
  audience: null,
  audience_project_ids: null,
  segment_id: 4,
  name: 'Sale',
  message: 'Hello',
  media: null,
  template: null,
  status: 'running',
  error: null,
  waiting_for: 'daily_limit',
  waiting_until: null,
  judged_sent: 0,
  judged_failed: 0,
  judged_missing: 0,
  scheduled_at: null,
  spread_minutes: null,
  spread_from: minutesAgo(30),
  paused_at: null,
  fed_until: 77,
  recheck_members: null,
  kept_condition: null,
  locks_seen_until: null,
  answers_judged_until: null,
  answers_asked_at: null,
  snapshot_at: null,
  snapshot_after: null,
  snapshot_until: null,
  snapshot_condition: null,
  total_count: 10,
  queued_count: 1,
  sent_count: 2,
  failed_count: 1,
  skipped_count: 1,
  created_at: minutesAgo(60),
  updated_at: minutesAgo(1),
  started_at: minutesAgo(30),
  finished_at: null,
};

const unsliced = { snapshot_after: null, snapshot_until: null, snapshot_condition: null };
const nothing = { total_count: 0, queued_count: 0, sent_count: 0, failed_count: 0, skipped_count: 0 };
const waiting: CampaignRow = { ...running, ...nothing, total_count: 10, skipped_count: 1, started_at: null };
const creating: CampaignRow = { ...waiting, ...nothing, status: 'creating', spread_from: null, fed_until: 0 };
const states: Record<CampaignStatus, CampaignRow> = {
  scheduled: { ...creating, status: 'scheduled', scheduled_at: minutesAgo(-60) },
  creating,
  running,
  paused: { ...running, status: 'paused', waiting_for: null, paused_at: minutesAgo(10) },
  completed: { ...running, status: 'completed', finished_at: minutesAgo(5) },
  failed: { ...running, status: 'failed', finished_at: minutesAgo(5) },
  cancelled: { ...running, status: 'cancelled', finished_at: minutesAgo(5) },
};

/** The code of the refusal, or the step. */
function attempt(decide: () => CampaignStep): CampaignStep | string {
  try {
    return decide();
  } catch (error) {
    return (error as { code: string }).code;
  }
}

type Outcomes = Record<CampaignStatus, string>;

describe('the permitted changes of status', () => {
  const statusOf = (step: CampaignStep | string) => (typeof step === 'string' ? step : step.status);
  const refused = (code: string, outcomes: Partial<Outcomes>): Outcomes =>
    Object.fromEntries(CampaignStatus.options.map((status) => [status, outcomes[status] ?? code])) as Outcomes;

  test.each<[string, (campaign: CampaignRow, at: Date) => CampaignStep, Outcomes]>([
    ['pause', pause, refused('campaign_not_running', { running: 'paused', scheduled: 'paused' })],
    ['resume', resume, refused('campaign_not_paused', { paused: 'running' })],
    [
      'cancel',
      cancel,
      refused('campaign_finished', {
        scheduled: 'cancelled',
        creating: 'cancelled',
        running: 'cancelled',
        paused: 'cancelled',
      }),
    ],
  ])('%s', (_name, decide, outcomes) => {
    const found = CampaignStatus.options.map((status) => [
      status,
      statusOf(attempt(() => decide(states[status], now))),
    ]);
    expect(Object.fromEntries(found)).toEqual(outcomes);
  });

  test('paused before its snapshot was taken, it goes on with that', () => {
    const step = { status: 'creating', paused_at: null, locks_seen_until: now };
    expect(resume({ ...states.paused, spread_from: null }, now)).toEqual(step);
  });

  test('paused before its time, it waits for that again, or starts where it has passed', () => {
    const paused = { ...states.paused, spread_from: null };
    const later = { ...paused, scheduled_at: minutesAgo(-10) };
    expect(resume(later, now)).toMatchObject({ status: 'scheduled', paused_at: null });
    const passed = resume({ ...paused, scheduled_at: minutesAgo(5) }, now);
    expect(passed).toMatchObject({ status: 'creating', paused_at: null });
  });

  test('the time that it was paused is none of the time over which it is spread', () => {
    const step = { status: 'running', paused_at: null, spread_from: minutesAgo(20), locks_seen_until: now };
    expect(resume(states.paused, now)).toEqual(step);
  });

  test('cancelled, whoever waits is skipped and who is with a phone is not', () => {
    expect(cancel(running, now)).toMatchObject({ skipped_count: 6, waiting_for: null, finished_at: now });
  });

  test.each<[string, Date | null, string]>([
    ['no time', null, 'creating'],
    ['a time that has passed', minutesAgo(1), 'creating'],
    ['this moment', now, 'creating'],
    ['a time to come', minutesAgo(-1), 'scheduled'],
  ])('with %s it begins as it should', (_name, when, status) => {
    expect(firstStatus(when, now)).toBe(status);
  });
});

describe('a snapshot', () => {
  test.each<[string, Parameters<typeof snapshotTaken>[0], CampaignStep]>([
    [
      'of nobody',
      { total: 0, skipped: 0, skippedBecause: undefined, at: minutesAgo(1) },
      { status: 'failed', error: 'The segment has no members', waiting_for: null, finished_at: now, ...unsliced },
    ],
    [
      'of people who are all skipped',
      { total: 2, skipped: 2, skippedBecause: 'Opted out of messages', at: minutesAgo(1) },
      {
        status: 'failed',
        error: 'No message could be sent: Opted out of messages',
        total_count: 2,
        skipped_count: 2,
        waiting_for: null,
        finished_at: now,
        ...unsliced,
      },
    ],
    [
      'of people',
      { total: 5, skipped: 2, skippedBecause: undefined, at: minutesAgo(1) },
      {
        status: 'running',
        total_count: 5,
        skipped_count: 2,
        spread_from: now,
        snapshot_at: minutesAgo(1),
        fed_until: 0,
        ...unsliced,
      },
    ],
  ])('%s', (_name, snapshot, step) => {
    expect(snapshotTaken(snapshot, now)).toEqual(step);
  });
});

describe('the end', () => {
  test.each<[string, Partial<CampaignRow>, boolean]>([
    ['somebody waits', { sent_count: 8 }, false],
    ['somebody is with a phone', { sent_count: 7, failed_count: 1, queued_count: 1 }, false],
    ['everybody has been dealt with', { sent_count: 8, failed_count: 1 }, true],
    ['everybody, but it is not taken down', { sent_count: 8, failed_count: 1, spread_from: null }, false],
  ])('%s', (_name, counts, expected) => {
    expect(isDone({ ...waiting, ...counts })).toBe(expected);
  });

  test('somebody got it', () => {
    const step = conclude({ ...waiting, sent_count: 1, failed_count: 8 }, 'No such number', now);
    expect(step).toEqual({ status: 'completed', error: null, waiting_for: null, finished_at: now });
  });

  test('nobody got it', () => {
    const step = conclude({ ...waiting, failed_count: 9 }, 'No such number', now);
    expect(step).toMatchObject({ status: 'failed', error: 'No message could be sent: No such number' });
  });

  test('late word that it arrived turns a failure round, and the end stays when it was', () => {
    const failed = { ...states.failed, ...nothing, total_count: 1, sent_count: 1, error: 'No message' };
    expect(conclude(failed, undefined, now)).toEqual({
      status: 'completed',
      error: null,
      waiting_for: null,
      finished_at: minutesAgo(5),
    });
  });
});

describe('edit', () => {
  const same: CampaignEdit = {
    name: 'Sale',
    message: 'Hello',
    project_id: 3,
    segment_id: 4,
    when: null,
    duration: null,
  };
  const later = minutesAgo(-120).toISOString();

  test.each(Object.entries(states))('a repeated change has no effect and is no conflict: %s', (_status, campaign) => {
    const { name, message, project_id, segment_id } = campaign;
    const when = campaign.scheduled_at?.toISOString() ?? null;
    const step = edit(campaign, { ...same, when }, now);
    expect({ ...campaign, ...step }).toEqual({ ...campaign, name, message, project_id, segment_id });
  });

  test.each<[string, CampaignRow, CampaignEdit, CampaignStep | string]>([
    ['another name when it is over', states.completed, { name: 'New' }, { name: 'New' }],
    ['another text while people wait', running, { message: 'New' }, { message: 'New' }],
    ['another text when it is over', states.completed, { message: 'New' }, 'campaign_finished'],
    ['another project before the first message', waiting, { project_id: 9 }, { project_id: 9 }],
    ['another project after it', running, { project_id: 9 }, 'campaign_started'],
    [
      'another project while the first is with a phone',
      { ...waiting, queued_count: 1 },
      { project_id: 9 },
      'campaign_started',
    ],
    ['another project when it is over', states.failed, { project_id: 9 }, 'campaign_finished'],
    ['another segment after the first message', states.paused, { segment_id: 9 }, 'campaign_started'],
    ['another segment when it is over', states.cancelled, { segment_id: 9 }, 'campaign_finished'],
    [
      'a later time before it has come',
      states.scheduled,
      { when: later },
      { scheduled_at: new Date(later), status: 'scheduled' },
    ],
    ['no time before it has come', states.scheduled, { when: null }, { scheduled_at: null, status: 'creating' }],
    [
      'a time that has passed',
      states.scheduled,
      { when: minutesAgo(1).toISOString() },
      { scheduled_at: minutesAgo(1), status: 'creating' },
    ],
    ['no time after it has come', { ...running, scheduled_at: minutesAgo(40) }, { when: null }, {}],
    ['another time after it has come', running, { when: later }, 'campaign_started'],
    ['another time when it is over', states.completed, { when: later }, 'campaign_finished'],
    ['a duration while it runs', running, { duration: 5 }, { spread_minutes: 5 }],
    ['a duration when it is over', states.completed, { duration: 5 }, 'campaign_finished'],
    ['no duration when it is over', { ...states.completed, spread_minutes: 5 }, { duration: null }, {}],
  ])('%s', (_name, campaign, change, expected) => {
    expect(attempt(() => edit(campaign, change, now))).toEqual(expected);
  });

  test.each<[string, CampaignRow, CampaignStatus]>([
    ['while it runs', waiting, 'creating'],
    ['while it is paused', { ...waiting, status: 'paused' }, 'paused'],
    ['while it is scheduled', states.scheduled, 'scheduled'],
    ['while its members are taken down', creating, 'creating'],
  ])('another segment %s is taken down from nothing', (_name, campaign, status) => {
    const after = { ...campaign, ...edit(campaign, { segment_id: 9 }, now) };
    expect(after).toMatchObject({ status, ...nothing, segment_id: 9, spread_from: null, fed_until: 0 });
  });
});
