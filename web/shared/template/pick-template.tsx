import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { cutText } from '#contracts/shorten-text.ts';
import { callApi } from '../api.ts';
import { Combobox } from '../form/combobox.tsx';
import { queryKeys } from '../queries.ts';
import { useDebounced } from '../use-debounced.ts';

const pauseMs = 150;
const shownAtOnce = 20;
const maxShownLength = 40;

type PickTemplateProps = { disabled: boolean; onPick: (message: string) => void };

/** Finds a saved template by its name or its text; its message takes the place of what is typed. */
export function PickTemplate({ disabled, onPick }: PickTemplateProps) {
  const [text, setText] = useState('');
  const [isWanted, setWanted] = useState(false);
  const search = useDebounced(text.trim().slice(0, 120), pauseMs);
  const query = { pageSize: shownAtOnce, search };
  const { data } = useQuery({
    queryKey: [...queryKeys.templates, query],
    queryFn: ({ signal }) => callApi('GET /api/templates', { query }, { signal }),
    enabled: isWanted,
    placeholderData: keepPreviousData,
  });
  const templates = data?.data ?? [];

  function handleChange(next: string): void {
    const chosen = templates.find(({ name }) => name === next);
    setText(chosen === undefined ? next : '');
    if (chosen !== undefined) onPick(chosen.message);
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keeps Enter in the field from saving the form
    <div className="w-44" onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}>
      <Combobox
        aria-label="Use a template"
        placeholder="Use a template"
        value={text}
        onFocus={() => setWanted(true)}
        onChange={handleChange}
        match={text.trim()}
        suggestions={templates.map(({ name, message }) => ({ value: name, aside: shortened(message) }))}
        suggestionsLabel="Templates"
        disabled={disabled}
        className="text-13"
      />
    </div>
  );
}

function shortened(message: string): string {
  const line = message.replaceAll(/\s+/g, ' ');
  return line.length > maxShownLength ? `${cutText(line, maxShownLength)}…` : line;
}
