import { expect, test } from 'vitest';
import type { Campaign } from '#contracts/campaigns.ts';
import { sampleCampaign, sampleCarried } from '#web/testing/samples.ts';
import { bodyOf, campaignForm, changeOf, valuesOf, type CampaignValues } from './campaign-form.ts';
import type { BoundText } from '#web/shared/whatsapp-template/bound-value.ts';

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
  kind: 'text',
  template: null,
  topic_id: null,
  caps: { when_capped: 'skip', priority: 'normal' },
  start: 'now',
  when: '',
  pace: 'fast',
  duration: 60,
  unit: 'minutes',
  recheck: 'late',
} as const;

const bound = (first: BoundText) => ({
  name: 'order_ready',
  language: 'en_GB',
  business_account_id: '104',
  variables: { first_name: first },
  header: null,
  header_media: null,
});

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
  [{ kind: 'template', message: '' }, 'template: Choose a template'],
  [{ kind: 'template', message: '', template: bound({ text: '{name}', default: '' }) }, undefined],
  [
    { kind: 'template', template: bound({ text: ' ', default: '' }) },
    'template.variables.first_name: Enter a text for this variable',
  ],
  [{ kind: 'template', template: bound({ text: '', default: 'you' }) }, undefined],
  [
    { kind: 'template', template: { ...bound({ text: 'x', default: '' }), header: 'image' } },
    'template.header_media: Add the picture of the header',
  ],
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

const stored: NonNullable<Campaign['template']> = {
  name: 'order_ready',
  language: 'en_GB',
  business_account_id: '104',
  category: 'utility',
  languages: ['en_GB'],
  text: 'Hi {name}',
  variables: { first_name: { text: '{name}', default: null } },
  header_media: null,
  version: 'v1',
};
const typed = bound({ text: '{name}', default: '' });
const sent = {
  name: 'order_ready',
  language: 'en_GB',
  variables: { first_name: { text: '{name}', default: null } },
};

test('a campaign with a template sends it alone, with the version that was reviewed', () => {
  const values = {
    ...filled,
    media: sampleCarried(),
    kind: 'template' as const,
    template: { ...typed, version: 'v2' },
  };
  expect(bodyOf(values, timezone)).toMatchObject({ message: '', template: { ...sent, version: 'v2' } });
  expect(bodyOf(values, timezone)).not.toHaveProperty('media');
});

test.each<[string, Partial<Campaign>, Partial<CampaignValues>, object]>([
  ['stays', { message: '', template: stored }, { kind: 'template', template: typed }, {}],
  [
    'is filled in another way',
    { message: '', template: stored },
    { kind: 'template', template: bound({ text: '{name}', default: ' you ' }) },
    {
      message: '',
      media: null,
      template: { ...sent, variables: { first_name: { text: '{name}', default: 'you' } } },
    },
  ],
  [
    'takes the place of a text',
    { message: 'Hi' },
    { kind: 'template', template: typed },
    { message: '', media: null, template: sent },
  ],
  [
    'gives way to a text',
    { message: '', template: stored },
    { message: 'Hi', template: typed },
    { message: 'Hi', template: null },
  ],
])('a template that %s is saved so', (_case, campaign, values, expected) => {
  const { message, media, template } = changeOf(sampleCampaign(campaign), { ...filled, ...values }, timezone);
  const given = Object.entries({ message, media, template }).filter(([, value]) => value !== undefined);
  expect(Object.fromEntries(given)).toEqual(expected);
});

test('a stored template is shown as it was typed', () => {
  const shown = valuesOf(sampleCampaign({ message: '', template: stored }), timezone);
  expect(shown).toMatchObject({ kind: 'template', template: typed });
});
