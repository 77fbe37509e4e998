import { useState } from 'react';
import { useController, type FieldPath, type FieldValues } from 'react-hook-form';
import { Field, type FieldTexts } from '../form/field.tsx';
import { Picker } from '../form/picker.tsx';
import { useFieldError, type FormOf } from '../form/use-zod-form.ts';
import { SegmentList, useSegmentName } from './segment-list.tsx';

type SegmentFieldProps<T extends FieldValues> = FieldTexts & {
  form: FormOf<T>;
  name: FieldPath<T>;
  disabled?: boolean;
  placeholder: string;
  /** The name of the chosen segment while it loads, and once it is deleted. */
  fallback?: string | undefined;
};

/** A segment's id, chosen among all of the account. */
export function SegmentField<T extends FieldValues>(props: SegmentFieldProps<T>) {
  const { form, name, disabled = false, placeholder, fallback, ...texts } = props;
  const { field } = useController({ control: form.control, name });
  const error = useFieldError(form, name);
  const [chosen, setChosen] = useState<{ id: number; name: string }>();
  const given: unknown = field.value;
  const segmentId = typeof given === 'number' ? given : undefined;
  const isKnown = chosen !== undefined && chosen.id === segmentId;
  const stored = useSegmentName(isKnown || disabled ? undefined : segmentId);
  const shown = isKnown ? chosen.name : (stored ?? fallback ?? (segmentId && `#${segmentId}`));
  return (
    <Field {...texts} error={error}>
      {(control) => (
        <Picker
          {...control}
          ref={field.ref}
          value={segmentId === undefined ? undefined : String(shown)}
          placeholder={placeholder}
          disabled={disabled}
          onBlur={field.onBlur}
        >
          {(close) => (
            <SegmentList
              chosenId={segmentId}
              onChoose={(segment) => {
                setChosen(segment);
                field.onChange(segment.id);
                close();
              }}
            />
          )}
        </Picker>
      )}
    </Field>
  );
}
