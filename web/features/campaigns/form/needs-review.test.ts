import { expect, test } from 'vitest';
import type { Campaign, CampaignChange } from '#contracts/campaigns.ts';
import type { Expression } from '#contracts/expressions.ts';
import { sampleCampaign, sampleCarried } from '#web/testing/samples.ts';
import { needsReview } from './needs-review.ts';

const scheduled = (changes: Partial<Campaign> = {}) =>
  sampleCampaign({
    status: 'scheduled',
    when: '2099-01-15T09:00:30.000Z',
    message: 'Hi',
    sent_count: 0,
    failed_count: 0,
    ...changes,
  });

const people = (tag: string): Expression => ({ field: 'tags', op: 'includes', value: tag });

test.each<[string, Campaign, CampaignChange, boolean]>([
  ['its name alone', scheduled(), { name: 'Other', message: 'Hi', when: '2099-01-15T09:00:00.000Z' }, false],
  ['another message', scheduled(), { message: 'Hi {plan}' }, true],
  ['its file', scheduled(), { media: { id: 'media_7' } }, true],
  ['its file, taken off', scheduled({ media: sampleCarried() }), { media: null }, true],
  ['another segment', scheduled(), { segment_id: 99 }, true],
  ['its people, no segment any more', scheduled({ segment_id: 1 }), { expression: people('vip') }, true],
  ['other people', scheduled({ segment_id: null, expression: people('vip') }), { expression: people('new') }, true],
  ['the same people', scheduled({ segment_id: null, expression: people('vip') }), { expression: people('vip') }, false],
  ['another topic', scheduled({ topic_id: null }), { topic_id: 3 }, true],
  ['another pace', scheduled({ duration: null }), { duration: 60 }, true],
  ['another time', scheduled(), { when: '2099-01-16T09:00:00.000Z' }, true],
  ['now in place of later', scheduled(), { when: null }, true],
  ['another message of one that has begun', scheduled({ status: 'running', sent_count: 1 }), { message: 'Ho' }, false],
  ['the name of one that is over', scheduled({ status: 'completed' }), { name: 'Other' }, false],
])('a change of %s: %#', (_case, campaign, change, expected) => {
  expect(needsReview(campaign, change)).toBe(expected);
});
