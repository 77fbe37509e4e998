import { X } from 'lucide-react';
import { useController } from 'react-hook-form';
import { Field } from '#web/shared/form/field.tsx';
import { Picker } from '#web/shared/form/picker.tsx';
import { useFieldError } from '#web/shared/form/use-zod-form.ts';
import { SegmentList, useSegmentName } from '#web/shared/pick/segment-list.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';
import type { CampaignFormOf } from './campaign-form.ts';

type LeftOutFieldProps = { form: CampaignFormOf; disabled: boolean };

/** The segments whose members get nothing. */
export function LeftOutField({ form, disabled }: LeftOutFieldProps) {
  const { field } = useController({ control: form.control, name: 'exclude_segment_ids' });
  const error = useFieldError(form, 'exclude_segment_ids');
  const ids = field.value;
  return (
    <div className="grid gap-2 sm:col-span-2">
      <Field label="Leave out" error={error} hint="Whoever is in one of these segments gets nothing.">
        {(control) => (
          <Picker
            {...control}
            ref={field.ref}
            value={undefined}
            placeholder={ids.length === 0 ? 'Nobody' : 'Add a segment'}
            disabled={disabled}
            onBlur={field.onBlur}
          >
            {(close) => (
              <SegmentList
                chosenId={undefined}
                onChoose={({ id }) => {
                  if (!ids.includes(id)) field.onChange([...ids, id]);
                  close();
                }}
              />
            )}
          </Picker>
        )}
      </Field>
      {ids.length > 0 && (
        <ul className="flex flex-wrap gap-2">
          {ids.map((id) => (
            <LeftOut
              key={id}
              id={id}
              disabled={disabled}
              onRemove={() => field.onChange(ids.filter((each) => each !== id))}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

function LeftOut({ id, disabled, onRemove }: { id: number; disabled: boolean; onRemove: () => void }) {
  const name = useSegmentName(id) ?? `#${id}`;
  return (
    <li className="flex min-w-0 items-center gap-1 rounded-small bg-sunken pl-2 text-13">
      <bdi className="truncate">{name}</bdi>
      <IconButton
        label={`Do not leave out ${name}`}
        icon={<X aria-hidden="true" className="size-3.5" />}
        disabled={disabled}
        onClick={onRemove}
      />
    </li>
  );
}
