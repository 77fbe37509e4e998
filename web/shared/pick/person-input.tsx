import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { useState, type ComponentProps } from 'react';
import { callApi } from '../api.ts';
import { Combobox } from '../form/combobox.tsx';
import { usePhoneFormat } from '../phone-format.ts';
import { queryKeys } from '../queries.ts';
import { useDebounced } from '../use-debounced.ts';

const pauseMs = 150;
const shownAtMost = 8;
const maxSearchLength = 100;

export type PersonInputProps = Omit<
  ComponentProps<typeof Combobox>,
  'suggestions' | 'suggestionsLabel' | 'match' | 'maxLength' | 'onFocus'
>;

/** A number: typed, or found among the account's profiles by name, email or a part of it. */
export function PersonInput({ value, className, ...props }: PersonInputProps) {
  const format = usePhoneFormat();
  const [isVisited, setVisited] = useState(false);
  const typed = value.trim().slice(0, maxSearchLength);
  const search = useDebounced(typed, pauseMs);
  const { data } = useQuery({
    queryKey: [...queryKeys.profiles, 'people', search],
    queryFn: ({ signal }) =>
      callApi('GET /api/profiles', { query: { search, page: 1, pageSize: shownAtMost } }, { signal }),
    enabled: isVisited,
  });
  const suggestions = (data?.data ?? []).map(({ phone, name }) => ({
    value: format(phone),
    aside: name,
  }));
  return (
    <Combobox
      {...props}
      value={value}
      maxLength={maxSearchLength}
      onFocus={() => setVisited(true)}
      className={clsx('tabular-nums', className)}
      match={typed}
      suggestions={suggestions}
      suggestionsLabel="People"
    />
  );
}
