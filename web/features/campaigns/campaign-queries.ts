import { queryOptions } from '@tanstack/react-query';
import type { Campaign, NewCampaign } from '#contracts/campaigns.ts';
import { callApi } from '#web/shared/api.ts';
import { queryKeys } from '#web/shared/queries.ts';
import type { CampaignSearch } from './campaign-search.ts';

export const pageSize = 50;

/** While a campaign moves by itself, the page asks again this often; live events come on top. */
const pollMs = 5000;

/** For `refetchInterval`; `underWay`: how many of all campaigns move, whatever is shown. */
export function pollInterval(campaigns: readonly Campaign[] | undefined, underWay = 0): number | false {
  const isMoving = campaigns?.some(({ status }) => status === 'creating' || status === 'running') === true;
  return isMoving || underWay > 0 ? pollMs : false;
}

export function campaignsQuery({ page = 1, search, status, project_id, segment_id, sort, order }: CampaignSearch) {
  const query = { page, pageSize, search, status, project_id, segment_id, sort, order };
  return queryOptions({
    queryKey: [...queryKeys.campaigns, 'list', query],
    queryFn: ({ signal }) => callApi('GET /api/campaigns', { query }, { signal }),
    refetchInterval: ({ state }) => pollInterval(state.data?.data, state.data?.under_way),
  });
}

/** A text, or a template with the project whose it is. */
export type PreviewedContent = { message: string } | Pick<NewCampaign, 'project_id' | 'template'>;

export type CampaignAudience = Pick<NewCampaign, 'segment_id' | 'expression' | 'exclude_segment_ids'>;

/**
 * Counts the members of the segment who would get the message now, and shows how it reads for some of them. Its key
 * stands apart from the campaigns': their news must not count a segment anew.
 */
export function previewQuery(audience: CampaignAudience, content: PreviewedContent) {
  const key = JSON.stringify(audience);
  return queryOptions({
    queryKey: ['campaign-preview', key, JSON.stringify(content)] as const,
    queryFn: ({ signal }) => callApi('POST /api/campaigns/preview', { body: { ...audience, ...content } }, { signal }),
    placeholderData: (previous, previousQuery) => (previousQuery?.queryKey[1] === key ? previous : undefined),
  });
}
