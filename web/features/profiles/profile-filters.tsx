import { ChoiceFilter, FilterChip } from '#web/shared/table/filter-chip.tsx';
import { SegmentList, useSegmentName } from '#web/shared/pick/segment-list.tsx';
import { TagList } from '#web/shared/pick/tag-list.tsx';
import { statusWord } from '#web/shared/ui/status-badge.tsx';
import { PeopleFilter } from './people-filter.tsx';
import { profileStatuses } from './profile-statuses.ts';
import type { ProfileSearch } from './profile-search.ts';

const yesOrNo = (yes: string, no: string) => [
  { value: 'true', label: yes },
  { value: 'false', label: no },
];
const optOuts = yesOrNo('Opted out', 'Not opted out');
const validities = yesOrNo('Valid', 'Not valid');
const onWhatsApp = yesOrNo('Yes or unknown', 'No');

type Changes = { [Key in keyof ProfileSearch]?: ProfileSearch[Key] | undefined };
type ProfileFiltersProps = { search: ProfileSearch; onChange: (changes: Changes) => void };

const flagOf = (value: string | undefined) => (value === 'true' || value === 'false' ? value : undefined);

export function ProfileFilters({ search, onChange }: ProfileFiltersProps) {
  const tags = search.tags?.split(',') ?? [];
  const segmentName = useSegmentName(search.segment_id);

  function toggleTag(tag: string): void {
    const next = tags.includes(tag) ? tags.filter((each) => each !== tag) : [...tags, tag];
    onChange({ tags: next.length === 0 ? undefined : next.join(',') });
  }

  const statuses = [...new Set([...profileStatuses, ...(search.status === undefined ? [] : [search.status])])];
  return (
    <>
      <FilterChip
        label="Tag"
        value={tags.length === 0 ? undefined : tags.join(', ')}
        onClear={() => onChange({ tags: undefined })}
      >
        {() => <TagList chosen={tags} onToggle={toggleTag} />}
      </FilterChip>
      <FilterChip
        label="Segment"
        value={search.segment_id === undefined ? undefined : (segmentName ?? `#${search.segment_id}`)}
        onClear={() => onChange({ segment_id: undefined })}
      >
        {(close) => (
          <SegmentList
            chosenId={search.segment_id}
            onChoose={({ id }) => {
              onChange({ segment_id: id });
              close();
            }}
          />
        )}
      </FilterChip>
      <PeopleFilter value={search.expression} onChange={(expression) => onChange({ expression })} />
      <ChoiceFilter
        label="Status"
        options={statuses.map((value) => ({ value, label: statusWord(value) }))}
        value={search.status}
        onChange={(status) => onChange({ status })}
      />
      <ChoiceFilter
        label="Opt-out"
        options={optOuts}
        value={search.opted_out}
        onChange={(value) => onChange({ opted_out: flagOf(value) })}
      />
      <ChoiceFilter
        label="Number"
        options={validities}
        value={search.valid}
        onChange={(value) => onChange({ valid: flagOf(value) })}
      />
      <ChoiceFilter
        label="On WhatsApp"
        options={onWhatsApp}
        value={search.on_whatsapp}
        onChange={(value) => onChange({ on_whatsapp: flagOf(value) })}
      />
    </>
  );
}
