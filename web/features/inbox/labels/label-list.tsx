import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SearchList } from '#web/shared/form/search-list.tsx';
import { hasPart } from '#web/shared/fold-text.ts';
import { StatusDot } from '#web/shared/ui/status-badge.tsx';
import { useCan } from '#web/shared/session.ts';
import { labelsQuery } from './use-labels.ts';

type LabelListProps = {
  projectId: number;
  chosen: readonly string[];
  onChoose: (name: string) => void;
  /** A name that is no label yet can be chosen, and becomes one. */
  canCreate?: boolean;
  /** Opens the list of labels for changes; a person who may not is not offered it. */
  onManage?: () => void;
};

/** A search among the account's labels. */
export function LabelList({ projectId, chosen, onChoose, canCreate = false, onManage }: LabelListProps) {
  const [text, setText] = useState('');
  const { data, error, isFetching } = useQuery(labelsQuery(projectId));
  const mayManage = useCan()('views:write');
  const labels = data?.data ?? [];
  const typed = text.trim().replaceAll(/\s+/g, ' ');
  const isNew = canCreate && typed !== '' && !labels.some(({ name }) => name.toLowerCase() === typed.toLowerCase());
  return (
    <SearchList
      label="Labels"
      search={text}
      onSearch={(next) => setText(next.slice(0, 50))}
      options={[
        ...labels
          .filter(({ name }) => hasPart(name, typed))
          .map(({ name, color, open_count: count }) => ({
            value: name,
            label: name,
            start: <StatusDot color={color} />,
            aside: count === 0 ? undefined : count.toLocaleString('en'),
          })),
        ...(isNew ? [{ value: typed, label: typed, aside: 'New label' }] : []),
      ]}
      chosen={chosen}
      onChoose={({ value }) => {
        onChoose(value);
        setText('');
      }}
      isLoading={isFetching && data === undefined}
      problem={error === null ? undefined : 'Failed to fetch labels'}
      empty={canCreate ? 'Type a label' : 'No such label'}
      footer={
        onManage !== undefined &&
        mayManage && (
          <button
            type="button"
            onClick={onManage}
            className="rounded-small px-2 py-1.5 text-left text-13 text-accent-ink hover:bg-hover"
          >
            Manage labels
          </button>
        )
      }
    />
  );
}
