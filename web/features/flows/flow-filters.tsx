import type { Project } from '#contracts/projects.ts';
import { ChoiceFilter } from '#web/shared/table/filter-chip.tsx';
import type { FlowSearch } from './flow-search.ts';

type FlowFiltersProps = {
  search: FlowSearch;
  projects: readonly Project[] | undefined;
  onChange: (changes: { active?: FlowSearch['active']; project_id?: number | undefined }) => void;
};

const states = [
  { value: 'true', label: 'Active' },
  { value: 'false', label: 'Inactive' },
];

export function FlowFilters({ search, projects = [], onChange }: FlowFiltersProps) {
  return (
    <>
      <ChoiceFilter
        label="State"
        options={states}
        value={search.active}
        onChange={(value) => onChange({ active: value === 'true' || value === 'false' ? value : undefined })}
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
