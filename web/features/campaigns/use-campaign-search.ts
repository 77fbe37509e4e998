import { useNavigate, useSearch } from '@tanstack/react-router';
import { campaignSearch, type CampaignSearch } from './campaign-search.ts';

type Change = { [Key in keyof CampaignSearch]?: CampaignSearch[Key] | undefined };

/** What the table of campaigns shows, and how to show something else. */
export function useCampaignSearch(): [search: CampaignSearch, change: (change: Change) => void] {
  const search = campaignSearch(useSearch({ strict: false }));
  const navigate = useNavigate();

  function change(next: Change): void {
    void navigate({
      to: '.',
      search: (previous) => ({ ...previous, ...next }) as CampaignSearch,
      replace: true,
      resetScroll: false,
    });
  }

  return [search, change];
}
