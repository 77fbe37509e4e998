import { useState } from 'react';
import type { ProfileField } from '#contracts/profiles.ts';
import { Combobox } from '../form/combobox.tsx';
import { useDebounced } from '../use-debounced.ts';
import { PlaceholderChip } from './placeholder-chip.tsx';
import { isReadable, placeholderOf, type PlaceholderSpelling } from './placeholders.ts';
import { useProfileFields } from './profile-fields.ts';
import { hasPart } from '#web/shared/fold-text.ts';

const pauseMs = 150;
const chipCount = 4;

type InsertPlaceholderProps = {
  spelling: PlaceholderSpelling;
  disabled: boolean;
  onInsert: (placeholder: string) => void;
};

/** The placeholders people use first as chips; any other by searching the account's fields. */
export function InsertPlaceholder({ spelling, disabled, onInsert }: InsertPlaceholderProps) {
  const chips = usualFields(useProfileFields()).flatMap(({ path }) => placeholderOf(path, spelling) ?? []);
  return (
    <>
      {chips.map((placeholder) => (
        <PlaceholderChip key={placeholder} placeholder={placeholder} disabled={disabled} onInsert={onInsert} />
      ))}
      <FieldSearch spelling={spelling} disabled={disabled} onInsert={onInsert} />
    </>
  );
}

/** The name, and the texts that most profiles have. */
function usualFields(fields: readonly ProfileField[]): readonly ProfileField[] {
  const name = fields.filter(({ path }) => path === 'name');
  const custom = fields
    .filter(({ path, types }) => path.startsWith('custom_fields.') && types.includes('string'))
    .toSorted((one, other) => other.profiles - one.profiles);
  return [...name, ...custom].slice(0, chipCount);
}

function FieldSearch({ spelling, disabled, onInsert }: InsertPlaceholderProps) {
  const [text, setText] = useState('');
  const search = text.replaceAll(/[{}]/g, '').trim();
  const fields = useProfileFields(useDebounced(search, pauseMs));
  const suggestions = fields.filter(isReadable).flatMap((field) => {
    const placeholder = placeholderOf(field.path, spelling);
    const isFound = hasPart(field.path, search);
    return placeholder === undefined || !isFound ? [] : [{ value: placeholder, aside: sampleText(field) }];
  });

  /** A whole placeholder is one that was chosen, or typed to its closing brace. */
  function handleChange(next: string): void {
    const isChosen = suggestions.some(({ value }) => value === next);
    setText(isChosen ? '' : next);
    if (isChosen) onInsert(next);
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keeps Enter in the field from saving the form
    <div className="w-44" onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}>
      <Combobox
        aria-label="Insert a field"
        placeholder="Insert a field"
        value={text}
        onChange={handleChange}
        match={search}
        suggestions={suggestions}
        suggestionsLabel="Fields"
        disabled={disabled}
        className="text-13"
      />
    </div>
  );
}

/** `“Corner shop”`; nothing where no profile has a value at hand. */
function sampleText({ sample }: ProfileField): string | undefined {
  return sample === null || sample === '' ? undefined : `“${sample}”`;
}
