import { useQuery } from '@tanstack/react-query';
import { Field } from '../form/field.tsx';
import { SelectInput } from '../form/select-input.tsx';
import { Button } from '../ui/button.tsx';
import { topicsQuery } from './topics-query.ts';

type TopicChoiceProps = {
  value: number | null;
  onChange: (topicId: number | null) => void;
  disabled?: boolean;
  error?: string | undefined;
};

/** The choice of the topic that a message is about; nothing where the account has no topics. */
export function TopicChoice({ value, onChange, disabled = false, error }: TopicChoiceProps) {
  const { data: topics = [], isSuccess, isLoadingError, refetch } = useQuery(topicsQuery());
  if (topics.length === 0 && value === null && !isLoadingError) return null;
  const isKnown = value === null || topics.some(({ id }) => id === value);
  const chosen = topics.find(({ id }) => id === value);
  const hint =
    value === null
      ? 'Everybody gets it who has not opted out of everything.'
      : chosen?.needs_opt_in === true
        ? 'Only who opted in to the topic gets it.'
        : 'Whoever opted out of the topic is skipped.';
  return (
    <Field
      label="Topic"
      {...(!isLoadingError && { hint })}
      error={isLoadingError ? 'Failed to fetch topics' : error}
      {...(isLoadingError && {
        aside: (
          <Button size="small" variant="ghost" onClick={() => void refetch()}>
            Try again
          </Button>
        ),
      })}
    >
      {(control) => (
        <SelectInput
          {...control}
          value={value === null ? '' : String(value)}
          disabled={disabled || isLoadingError}
          options={[
            { value: '', label: 'No topic' },
            ...topics.map(({ id, name }) => ({ value: String(id), label: name })),
            ...(isKnown
              ? []
              : [{ value: String(value), label: isSuccess ? `Topic #${value} (deleted)` : `Topic #${value}` }]),
          ]}
          onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
        />
      )}
    </Field>
  );
}
