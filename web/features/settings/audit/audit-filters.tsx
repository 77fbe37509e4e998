import { useQuery } from '@tanstack/react-query';
import { targetTypes } from '#contracts/audit-acts.ts';
import { SelectInput } from '#web/shared/form/select-input.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { teamQuery } from '../team/queries.ts';
import { auditDays, typeOf, wordsOf } from './audit-search.ts';
import type { AuditSearch } from './audit-search.ts';

/** Types of which no act has a row. */
const unlogged = ['message', 'media'];

const types = [
  { value: '', label: 'Anything' },
  ...targetTypes.filter((type) => !unlogged.includes(type)).map((value) => ({ value, label: wordsOf(value) })),
];

const others = [
  { value: 'key', label: 'Keys of projects' },
  { value: 'api_key', label: 'API key' },
  { value: 'system', label: 'Dovepost itself' },
];

const times = [
  { value: '', label: 'At any time' },
  ...auditDays.map((days) => ({ value: String(days), label: days === 1 ? 'Last 24 hours' : `Last ${days} days` })),
];

type AuditFiltersProps = { filter: AuditSearch; onChange: (filter: AuditSearch) => void };

export function AuditFilters({ filter, onChange }: AuditFiltersProps) {
  const { data: team } = useQuery(teamQuery());
  const { target, actor, days } = filter;
  const type = target === undefined ? '' : (typeOf(target) ?? '');
  const people = (team?.members ?? []).map(({ id, name }) => ({ value: String(id), label: name }));
  const isOneThing = target?.includes(':') === true;

  function change(next: { [Key in keyof AuditSearch]?: string }): void {
    const { target: about, actor: by, days: since } = { ...filter, ...next };
    onChange({ ...(about && { target: about }), ...(by && { actor: by }), ...(since && { days: Number(since) }) });
  }

  return (
    <div className="flex flex-wrap items-center gap-2 border-b px-4 py-3 sm:px-5">
      <SelectInput
        aria-label="By"
        size="small"
        value={actor ?? ''}
        options={[{ value: '', label: 'Everybody' }, ...people, ...others]}
        onChange={({ target: by }) => change({ actor: by.value })}
      />
      <SelectInput
        aria-label="About"
        size="small"
        value={type}
        options={types}
        onChange={({ target: about }) => change({ target: about.value })}
      />
      <SelectInput
        aria-label="When"
        size="small"
        value={days === undefined ? '' : String(days)}
        options={times}
        onChange={({ target: when }) => change({ days: when.value })}
      />
      {isOneThing && (
        <Button size="small" onClick={() => change({ target: type })}>
          One thing alone: show all
        </Button>
      )}
    </div>
  );
}
