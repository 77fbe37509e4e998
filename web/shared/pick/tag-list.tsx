import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { callApi } from '../api.ts';
import { SearchList } from '../form/search-list.tsx';
import { queryKeys } from '../queries.ts';
import { useDebounced } from '../use-debounced.ts';

const pauseMs = 150;

export function tagsQuery(search: string) {
  return {
    queryKey: [...queryKeys.profileTags, search] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      callApi('GET /api/profile-tags', { query: { search, limit: 50 } }, { signal }),
  };
}

type TagListProps = {
  chosen: readonly string[];
  onToggle: (tag: string) => void;
  /** A tag that nobody has yet can be chosen too. */
  canCreate?: boolean;
  footer?: ReactNode;
};

/** The account's tags, as the server finds them. */
export function TagList({ chosen, onToggle, canCreate = false, footer }: TagListProps) {
  const [text, setText] = useState('');
  const search = useDebounced(text.trim(), pauseMs);
  const { data, error, isFetching, isPlaceholderData } = useQuery(tagsQuery(search));
  const typed = text.trim().replaceAll(/\s+/g, ' ').toLowerCase();
  const found = (data?.data ?? []).map(({ tag, profiles }) => ({
    value: tag,
    label: tag,
    aside: profiles.toLocaleString('en'),
  }));
  const others = chosen.filter((tag) => tag.includes(typed) && !found.some(({ value }) => value === tag));
  const isNew = canCreate && typed !== '' && ![...found.map(({ value }) => value), ...chosen].includes(typed);
  return (
    <SearchList
      label="Tags"
      search={text}
      onSearch={setText}
      options={[
        ...(isNew ? [{ value: typed, label: typed, aside: 'New tag' }] : []),
        ...others.map((tag) => ({ value: tag, label: tag })),
        ...found,
      ]}
      chosen={chosen}
      onChoose={({ value }) => {
        onToggle(value);
        setText('');
      }}
      isLoading={isFetching}
      isStale={isPlaceholderData || search !== text.trim()}
      problem={error === null ? undefined : 'Failed to fetch tags'}
      empty={canCreate ? 'Type a tag' : 'No such tag'}
      footer={footer}
    />
  );
}
