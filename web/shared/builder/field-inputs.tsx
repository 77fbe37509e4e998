import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type ComponentProps } from 'react';
import { parseFieldPath, profileFacts } from '#contracts/field-path.ts';
import { fieldLabel } from '#web/shared/conditions/expression-words.ts';
import { fieldValuesQuery } from '#web/shared/conditions/field-value-field.tsx';
import { Combobox } from '#web/shared/form/combobox.tsx';
import { hasPart } from '#web/shared/fold-text.ts';
import { useProfileFields } from '#web/shared/template/profile-fields.ts';
import { useDebounced } from '#web/shared/use-debounced.ts';

const pauseMs = 150;

type InputProps = Omit<ComponentProps<typeof Combobox>, 'suggestions' | 'suggestionsLabel' | 'match' | 'onFocus'>;

/** A field of the account's profiles, by its path; each suggestion says what people call it. */
export function PathInput({ value, onChange, ...props }: InputProps) {
  const [search, setSearch] = useState('');
  const fields = useProfileFields(useDebounced(search.trim(), pauseMs));
  return (
    <Combobox
      {...props}
      value={value}
      onChange={(path) => {
        onChange(path);
        setSearch(path);
      }}
      onFocus={() => setSearch('')}
      match={search.trim()}
      suggestions={[...fields.map(({ path }) => path), ...profileFacts]
        .filter((path) => hasPart(path, search))
        .map((path) => ({ value: path, aside: fieldLabel(path) }))}
      suggestionsLabel="Fields"
      placeholder="custom_fields.plan"
      className="font-mono text-13"
    />
  );
}

/** A value; suggests those that profiles have in the field. Of a list with commas the last one is searched. */
export function ValueInput({
  path,
  isList = false,
  value,
  onChange,
  ...props
}: InputProps & { path: string; isList?: boolean }) {
  const [isVisited, setVisited] = useState(false);
  const [search, setSearch] = useState('');
  const asked = useDebounced(search.trim().slice(0, 100), pauseMs);
  const isAskable = isVisited && parseFieldPath(path) !== undefined;
  const { data = [] } = useQuery({
    ...fieldValuesQuery(path, asked),
    enabled: isAskable,
    placeholderData: keepPreviousData,
  });
  const before = isList ? value.slice(0, value.lastIndexOf(',') + 1) : '';
  const start = before === '' ? '' : `${before} `;
  return (
    <Combobox
      {...props}
      value={value}
      onChange={(typed) => {
        onChange(typed);
        setSearch(isList ? typed.slice(typed.lastIndexOf(',') + 1).trim() : typed);
      }}
      onFocus={() => {
        setVisited(true);
        setSearch('');
      }}
      match={search.trim()}
      suggestions={data
        .filter((known) => hasPart(known.value, search))
        .map((known) => ({
          value: start + known.value,
          aside: known.profiles === 1 ? '1 profile' : `${known.profiles.toLocaleString('en')} profiles`,
        }))}
      suggestionsLabel="Values"
    />
  );
}
