import type { CampaignStatus } from '#contracts/campaigns.ts';
import { SelectInput } from '#web/shared/form/select-input.tsx';
import { SearchInput } from '#web/shared/table/search-input.tsx';
import { statusWord } from '#web/shared/ui/status-badge.tsx';
import { campaignStatuses, type CampaignSearch } from './campaign-search.ts';
import type { useCampaignSearch } from './use-campaign-search.ts';

type CampaignFiltersProps = { search: CampaignSearch; onChange: ReturnType<typeof useCampaignSearch>[1] };

/** Another filter starts at its first page. */
export function CampaignFilters({ search, onChange }: CampaignFiltersProps) {
  return (
    <div role="search" aria-label="Campaigns" className="grid gap-2 max-sm:w-full sm:flex">
      <SearchInput
        label="Search campaigns"
        value={search.search ?? ''}
        onSearch={(text) => onChange({ search: text || undefined, page: undefined })}
      />
      <SelectInput
        size="small"
        aria-label="Campaign status"
        placeholder="Any status"
        options={campaignStatuses.map((value) => ({ value, label: statusWord(value) }))}
        value={search.status ?? ''}
        onChange={({ target }) => onChange({ status: (target.value as CampaignStatus) || undefined, page: undefined })}
      />
    </div>
  );
}
