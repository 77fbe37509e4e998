import { expect, test } from 'vitest';
import type { Campaign } from '#contracts/campaigns.ts';
import { sampleCampaign } from '#web/testing/samples.ts';
import { locksOf } from './campaign-locks.ts';

const unsent = { sent_count: 0, failed_count: 0 };

test.each<[Partial<Campaign>, string[]]>([
  [{ status: 'scheduled', ...unsent }, []],
  [{ status: 'creating', ...unsent }, ['start']],
  [{ status: 'running', ...unsent }, ['start']],
  [{ status: 'running', sent_count: 1, failed_count: 0 }, ['target', 'start']],
  [{ status: 'paused', ...unsent, started_at: null, total_count: 0 }, []],
  [{ status: 'paused', ...unsent }, ['start']],
  [{ status: 'paused', sent_count: 0, failed_count: 1 }, ['target', 'start']],
  [{ status: 'completed' }, ['target', 'message', 'start', 'pace']],
  [{ status: 'failed', ...unsent }, ['target', 'message', 'start', 'pace']],
  [{ status: 'cancelled' }, ['target', 'message', 'start', 'pace']],
])('%j locks %j', (changes, locked) => {
  expect(Object.keys(locksOf(sampleCampaign(changes)))).toEqual(locked);
});

test('a campaign that is being made locks nothing', () => {
  expect(locksOf(undefined)).toEqual({});
});
