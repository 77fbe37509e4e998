import { expect, test } from 'vitest';
import type { CampaignStatus } from '#contracts/campaigns.ts';
import { sampleCampaign } from '#web/testing/samples.ts';
import { pollInterval } from './campaign-queries.ts';

test.each<[CampaignStatus[] | undefined, number | false, number?]>([
  [undefined, false],
  [['completed'], 5000, 1],
  [[], false],
  [['completed', 'creating'], 5000],
  [['completed', 'running'], 5000],
  [['scheduled', 'paused', 'completed', 'failed', 'cancelled'], false],
])('while campaigns are %j, it asks again every %j', (statuses, expected, underWay = 0) => {
  const campaigns = statuses?.map((status) => sampleCampaign({ status }));
  expect(pollInterval(campaigns, underWay)).toBe(expected);
});
