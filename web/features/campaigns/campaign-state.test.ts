import { expect, test } from 'vitest';
import type { Campaign } from '#contracts/campaigns.ts';
import { sampleCampaign } from '#web/testing/samples.ts';
import { isMoving, segmentText, waitingText } from './campaign-state.ts';

test.each<[Partial<Campaign>, string]>([
  [{ status: 'scheduled', waiting_count: 0 }, 'Nobody gets its message.'],
  [{ status: 'creating', waiting_count: 0 }, 'Nobody gets its message.'],
  [{ status: 'running', waiting_count: 1 }, '1 person still waiting gets nothing.'],
  [{ status: 'paused', waiting_count: 1204 }, '1,204 people still waiting get nothing.'],
  [{ status: 'running', waiting_count: 0 }, ''],
  [{ status: 'completed', waiting_count: 3 }, ''],
  [{ status: 'failed', waiting_count: 3 }, ''],
  [{ status: 'cancelled', waiting_count: 3 }, ''],
])('ending %j means %j', (changes, text) => {
  expect(waitingText(sampleCampaign(changes))).toBe(text);
});

test.each([
  ['Installed users', 'Segment: Installed users'],
  [null, 'Segment #9'],
])('a segment called %j reads %j', (name, text) => {
  expect(segmentText(sampleCampaign({ segment_name: name }))).toBe(text);
});

test.each<[Partial<Campaign>, boolean]>([
  [{ status: 'creating' }, true],
  [{ status: 'running' }, true],
  [{ status: 'running', waiting_for: 'daily_limit' }, false],
  [{ status: 'scheduled' }, false],
  [{ status: 'paused' }, false],
  [{ status: 'completed' }, false],
])('whether a campaign of %j is moving: %j', (changes, expected) => {
  expect(isMoving(sampleCampaign(changes))).toBe(expected);
});
