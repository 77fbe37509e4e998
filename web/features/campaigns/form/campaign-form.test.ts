import { expect, test } from 'vitest';
import type { Campaign } from '#contracts/campaigns.ts';
import { sampleCampaign, sampleCarried } from '#web/testing/samples.ts';
import { bodyOf, campaignForm, changeOf, valuesOf, type CampaignValues } from './campaign-form.ts';

const timezone = 'Europe/Lisbon';
const now = () => Date.parse('2026-07-24T08:00:00Z');
const form = campaignForm({ timezone, now, locks: {} });

const filled = {
  name: ' Spring ',
  project_id: 3,
  segment_id: 9,
  expression: null,
  exclude_segment_ids: [] as number[],
  message: 'Hi {name}',
  media: null,
  topic_id: null,
  caps: { when_capped: 'skip', priority: 'normal' },
  start: 'now',
  when: '',
  pace: 'fast',
  duration: 60,
  unit: 'minutes',
  recheck: 'late',
} as const;

function problemOf(changes: object): string | undefined {
  const [issue] = form.safeParse({ ...filled, ...changes }).error?.issues ?? [];
  return issue && `${issue.path.join('.')}: ${issue.message}`;
}

test.each<[object, string | undefined]>([
  [{}, undefined],
  [{ name: ' ' }, 'name: Enter a name'],
  [{ project_id: undefined }, 'project_id: Choose a project'],
  [{ segment_id: undefined }, 'segment_id: Choose a segment'],
  [{ message: ' \n' }, 'message: Enter a message'],
  [{ message: '', media: sampleCarried() }, undefined],
  [{ message: 'x'.repeat(1024), media: sampleCarried() }, undefined],
  [{ message: 'x'.repeat(1025), media: sampleCarried() }, 'message: Use at most 1024 characters with a file'],
  [{ message: 'x'.repeat(1025) }, undefined],
  [{ start: 'later' }, 'when: Choose a date and time'],
  [{ start: 'later', when: '2026-07-24T09:00' }, 'when: Choose a time still to come'],
  [{ start: 'later', when: '2026-07-24T09:01' }, undefined],
  [{ start: 'now', when: '2020-01-01T00:00' }, undefined],
  [{ pace: 'spread', duration: Number.NaN }, 'duration: Enter whole minutes'],
  [{ pace: 'spread', duration: 1.5, unit: 'hours' }, 'duration: Enter whole hours'],
  [{ pace: 'spread', duration: 0 }, 'duration: Use at least 1 minute'],
  [{ pace: 'spread', duration: 721, unit: 'hours' }, 'duration: Use at most 30 days'],
  [{ pace: 'spread', duration: 720, unit: 'hours' }, undefined],
  [{ pace: 'fast', duration: Number.NaN }, undefined],
])('%#: %s', (changes, problem) => {
  expect(problemOf(changes)).toBe(problem);
});

test('a start that has passed may stay when it is locked', () => {
  const locked = campaignForm({ timezone, now, locks: { start: { reason: undefined } } });
  expect(locked.safeParse({ ...filled, start: 'later', when: '2020-01-01T00:00' }).success).toBe(true);
});

test('sends no time and no duration where there are none', () => {
  expect(bodyOf(filled, timezone)).toEqual({
    name: ' Spring ',
    project_id: 3,
    segment_id: 9,
    message: 'Hi {name}',
    when: null,
    duration: null,
    recheck_members: null,
  });
});

test("sends the time of the account's clocks, and minutes", () => {
  const values = { ...filled, start: 'later', when: '2026-07-25T09:00', pace: 'spread', duration: 2, unit: 'hours' };
  expect(bodyOf(values as Parameters<typeof bodyOf>[0], timezone)).toMatchObject({
    when: '2026-07-25T08:00:00.000Z',
    duration: 120,
  });
});

test.each<[Partial<Campaign>, object]>([
  [
    { when: null, duration: null },
    { start: 'now', when: '', pace: 'fast', duration: 60, unit: 'minutes' },
  ],
  [
    { when: '2026-07-25T08:00:00.000Z', duration: 90 },
    { start: 'later', when: '2026-07-25T09:00', pace: 'spread', duration: 90, unit: 'minutes' },
  ],
  [{ duration: 120 }, { pace: 'spread', duration: 2, unit: 'hours' }],
])('of a campaign with %j it shows %j', (changes, expected) => {
  expect(valuesOf(sampleCampaign(changes), timezone)).toMatchObject(expected);
});

test.each<[Partial<Campaign>, string[]]>([
  [
    { status: 'scheduled', sent_count: 0, failed_count: 0 },
    ['name', 'project_id', 'segment_id', 'message', 'when', 'duration', 'recheck_members'],
  ],
  [{ status: 'running', sent_count: 4 }, ['name', 'message', 'duration', 'recheck_members']],
  [{ status: 'completed' }, ['name']],
])('of a campaign that is %j it saves %j', (changes, keys) => {
  expect(Object.keys(changeOf(sampleCampaign(changes), filled, timezone))).toEqual(keys);
});

const document = { id: 'media_7', type: 'document', file_name: 'Offer.pdf' };

test.each<[string, Partial<Campaign>, CampaignValues['media'], object | null | undefined]>([
  ['stays', { media: sampleCarried() }, sampleCarried(), undefined],
  ['is taken off', { media: sampleCarried() }, null, null],
  ['comes', { media: null }, { ...sampleCarried(), isUpload: true }, { id: 'media_7' }],
  ['is another', { media: sampleCarried({ id: 'media_6' }) }, sampleCarried(), document],
  ['is locked', { media: sampleCarried({ id: 'media_6' }), status: 'completed' }, sampleCarried(), undefined],
])('a file that %s is saved so', (_case, campaign, media, expected) => {
  expect(changeOf(sampleCampaign(campaign), { ...filled, media }, timezone).media).toEqual(expected);
});

test('a new campaign, a copy too, names the file that it carries', () => {
  expect(bodyOf({ ...filled, media: sampleCarried() }, timezone).media).toEqual(document);
});
