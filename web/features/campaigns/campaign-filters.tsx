import { useQuery } from '@tanstack/react-query';
import { projectsQuery } from '#web/shared/queries.ts';
import { ChoiceFilter } from '#web/shared/table/filter-chip.tsx';
import { statusWord } from '#web/shared/ui/status-badge.tsx';
import { campaignStatuses, type CampaignSearch } from './campaign-search.ts';

type CampaignFiltersProps = {
  search: CampaignSearch;
  onChange: (changes: { status?: CampaignSearch['status']; project_id?: number | undefined }) => void;
};

export function CampaignFilters({ search, onChange }: CampaignFiltersProps) {
  const { data: projects = [] } = useQuery(projectsQuery());
  return (
    <>
      <ChoiceFilter
        label="Status"
        options={campaignStatuses.map((value) => ({ value, label: statusWord(value) }))}
        value={search.status}
        onChange={(status) => onChange({ status: campaignStatuses.find((known) => known === status) })}
      />
      {projects.length > 1 && (
        <ChoiceFilter
          label="Project"
          options={projects.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={search.project_id === undefined ? undefined : String(search.project_id)}
          onChange={(id) => onChange({ project_id: id === undefined ? undefined : Number(id) })}
        />
      )}
    </>
  );
}
