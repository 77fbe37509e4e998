import { expect, test } from 'vitest';
import { sampleCampaign } from '#web/testing/samples.ts';
import type { CampaignSearch } from './campaign-search.ts';
import { findCampaigns, pageOf, sentShare } from './shown-campaigns.ts';

const campaigns = [
  sampleCampaign({ id: 4, name: 'Week 10', status: 'running', sent_count: 5, total_count: 10 }),
  sampleCampaign({ id: 3, name: 'week 9', status: 'completed', sent_count: 9, total_count: 10 }),
  sampleCampaign({ id: 2, name: 'Árvore', status: 'scheduled', sent_count: 0, total_count: 0 }),
  sampleCampaign({ id: 1, name: 'Voucher', status: 'completed', sent_count: 0, total_count: 10 }),
];

test.each<[CampaignSearch, number[]]>([
  [{}, [4, 3, 2, 1]],
  [{ sort: 'created', order: 'asc' }, [1, 2, 3, 4]],
  [{ sort: 'name' }, [2, 1, 3, 4]],
  [{ sort: 'name', order: 'desc' }, [4, 3, 1, 2]],
  [{ sort: 'status' }, [2, 4, 3, 1]],
  [{ sort: 'progress' }, [3, 4, 2, 1]],
  [{ search: 'WEEK' }, [4, 3]],
  [{ status: 'completed' }, [3, 1]],
  [{ search: 'week', status: 'completed' }, [3]],
  [{ search: 'nothing' }, []],
])('%j finds %j', (search, ids) => {
  expect(findCampaigns(campaigns, search).map(({ id }) => id)).toEqual(ids);
});

test.each([
  [{ sent_count: 0, total_count: 0 }, 0],
  [{ sent_count: 1, total_count: 4 }, 0.25],
])('of %j the share sent is %d', (counts, share) => {
  expect(sentShare(sampleCampaign(counts))).toBe(share);
});

const items = Array.from({ length: 51 }, (_, index) => index);

test.each([
  [1, { page: 1, items: items.slice(0, 50), total: 51 }],
  [2, { page: 2, items: [50], total: 51 }],
  [9, { page: 2, items: [50], total: 51 }],
])('page %d', (wanted, expected) => {
  expect(pageOf(items, wanted)).toEqual(expected);
});

test('there is a page even of nothing', () => {
  expect(pageOf([], 3)).toEqual({ page: 1, items: [], total: 0 });
});
