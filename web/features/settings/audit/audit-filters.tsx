import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { mostCountedEvents } from '#contracts/audit.ts';
import { targetTypes } from '#contracts/audit-acts.ts';
import { DateInput } from '#web/shared/form/date/date-input.tsx';
import { SelectInput } from '#web/shared/form/select-input.tsx';
import { SearchInput } from '#web/shared/table/search-input.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { teamQuery } from '../team/queries.ts';
import { projectsQuery } from '#web/shared/queries.ts';
import { auditDays, auditSearch, typeOf } from './audit-search.ts';
import type { AuditSearch } from './audit-search.ts';
import { typeText } from './audit-values.ts';

/** Types of which no act has a row. */
const unlogged = ['message', 'media'];

const types = targetTypes
  .filter((type) => !unlogged.includes(type))
  .map((value) => ({ value: value as string, label: typeText(value) }))
  .toSorted((one, other) => one.label.localeCompare(other.label));

const others = [
  { value: 'key', label: 'Keys of projects' },
  { value: 'api_key', label: 'API key' },
  { value: 'system', label: 'Dovepost itself' },
];

const times = [
  { value: '', label: 'At any time' },
  ...auditDays.map((days) => ({ value: String(days), label: days === 1 ? 'Last 24 hours' : `Last ${days} days` })),
  { value: 'chosen', label: 'Between two days' },
];

type AuditFiltersProps = {
  filter: AuditSearch;
  /** How many entries match; undefined until it is known. */
  total: number | undefined;
  onChange: (filter: AuditSearch) => void;
};

export function AuditFilters({ filter, total, onChange }: AuditFiltersProps) {
  const { data: team } = useQuery(teamQuery());
  const { data: projects = [] } = useQuery(projectsQuery());
  const { target, actor, project, days, from = '', to = '' } = filter;
  const [isChoosing, setChoosing] = useState(from !== '' || to !== '');
  const type = target === undefined ? '' : (typeOf(target) ?? '');
  const people = (team?.members ?? []).map(({ id, name }) => ({ value: String(id), label: name }));
  const isOneThing = target?.includes(':') === true;

  const change = (next: Record<string, string>) => onChange(auditSearch({ ...filter, ...next }));

  function changeTime(when: string): void {
    setChoosing(when === 'chosen');
    change({ from: '', to: '', days: when });
  }

  return (
    <div className="flex flex-wrap items-center gap-2 border-b px-4 py-3 sm:px-5">
      <SearchInput
        label="Search who, what, address"
        value={filter.search ?? ''}
        onSearch={(search) => change({ search })}
      />
      <SelectInput
        aria-label="By"
        className="sm:w-32"
        size="small"
        value={actor ?? ''}
        options={[{ value: '', label: 'Everybody' }, ...people, ...others]}
        onChange={({ target: by }) => change({ actor: by.value })}
      />
      <SelectInput
        aria-label="About"
        className="sm:w-32"
        size="small"
        value={type}
        options={[{ value: '', label: 'Anything' }, ...types]}
        onChange={({ target: about }) => change({ target: about.value })}
      />
      {projects.length > 0 && (
        <SelectInput
          aria-label="Project"
          className="sm:w-32"
          size="small"
          value={project === undefined ? '' : String(project)}
          options={[
            { value: '', label: 'All projects' },
            ...projects.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
          onChange={({ target: of }) => change({ project: of.value })}
        />
      )}
      <SelectInput
        aria-label="When"
        className="sm:w-40"
        size="small"
        value={isChoosing ? 'chosen' : days === undefined ? '' : String(days)}
        options={times}
        onChange={({ target: when }) => changeTime(when.value)}
      />
      {isChoosing && (
        <>
          <DateInput
            size="small"
            aria-label="From day"
            placeholder="From day"
            value={from}
            onChange={(day) => change({ from: day })}
            className="sm:w-40"
          />
          <DateInput
            size="small"
            aria-label="To day"
            placeholder="To day"
            value={to}
            onChange={(day) => change({ to: day })}
            className="sm:w-40"
          />
        </>
      )}
      {isOneThing && (
        <Button size="small" onClick={() => change({ target: type })}>
          One thing alone: show all
        </Button>
      )}
      <p role="status" className="ml-auto text-13 text-muted tabular-nums">
        {total !== undefined && totalText(total)}
      </p>
    </div>
  );
}

function totalText(total: number): string {
  if (total > mostCountedEvents) return `More than ${mostCountedEvents.toLocaleString('en')} entries`;
  return total === 1 ? '1 entry' : `${total.toLocaleString('en')} entries`;
}
