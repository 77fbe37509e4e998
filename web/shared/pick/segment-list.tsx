import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Segment } from '#contracts/segments.ts';
import { callApi } from '../api.ts';
import { SearchList } from '../form/search-list.tsx';
import { noPlaceholder, queryKeys } from '../queries.ts';
import { useDebounced } from '../use-debounced.ts';
import { MemberCount } from './member-count.tsx';

const pauseMs = 150;
const shownAtMost = 50;

export function segmentChoicesQuery(search: string) {
  const query = { search, sort: 'name', page: 1, pageSize: shownAtMost } as const;
  return {
    queryKey: [...queryKeys.segments, 'choices', search] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) => callApi('GET /api/segments', { query }, { signal }),
  };
}

export function segmentNameQuery(segmentId: number) {
  return queryOptions({
    queryKey: [...queryKeys.segments, segmentId],
    queryFn: ({ signal }) => callApi('GET /api/segments/{segmentId}', { params: { segmentId } }, { signal }),
    placeholderData: noPlaceholder,
  });
}

/** The name of a segment that is chosen already; undefined while it loads, and once it is deleted. */
export function useSegmentName(segmentId: number | undefined): string | undefined {
  const { data } = useQuery({ ...segmentNameQuery(segmentId ?? 0), enabled: segmentId !== undefined });
  return segmentId === undefined ? undefined : data?.name;
}

type SegmentListProps = { chosenId: number | undefined; onChoose: (segment: Segment) => void };

/** The account's segments, as the server finds them, with how many people each has. */
export function SegmentList({ chosenId, onChoose }: SegmentListProps) {
  const [text, setText] = useState('');
  const asked = useDebounced(text.trim(), pauseMs);
  const { data, error, isFetching, isPlaceholderData } = useQuery(segmentChoicesQuery(asked));
  const segments = data?.data ?? [];
  return (
    <SearchList
      label="Segments"
      search={text}
      onSearch={setText}
      options={segments.map(({ id, name }) => ({
        value: String(id),
        label: name,
        aside: <MemberCount segmentId={id} />,
      }))}
      chosen={chosenId === undefined ? [] : [String(chosenId)]}
      onChoose={({ value }) => {
        const segment = segments.find(({ id }) => String(id) === value);
        if (segment !== undefined) onChoose(segment);
      }}
      isLoading={isFetching}
      isStale={isPlaceholderData || asked !== text.trim()}
      problem={error === null ? undefined : 'Failed to fetch segments'}
      empty={text.trim() === '' ? 'No segments yet' : 'No segment matches'}
      footer={
        (data?.total ?? 0) > segments.length && (
          <p className="px-2 pt-1 text-12 text-muted">
            {`${((data?.total ?? 0) - segments.length).toLocaleString('en')} more: type to find them`}
          </p>
        )
      }
    />
  );
}
