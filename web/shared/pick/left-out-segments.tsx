import { X } from 'lucide-react';
import type { Ref } from 'react';
import { Field } from '#web/shared/form/field.tsx';
import { Picker } from '#web/shared/form/picker.tsx';
import { SegmentList, useSegmentName } from '#web/shared/pick/segment-list.tsx';
import { IconButton } from '#web/shared/ui/icon-button.tsx';

type LeftOutSegmentsProps = {
  /** A field of a form that holds their ids. */
  field: { value: number[]; onChange: (ids: number[]) => void; onBlur: () => void; ref: Ref<HTMLButtonElement> };
  error: string | undefined;
  disabled?: boolean;
};

/** The segments whose members get nothing. */
export function LeftOutSegments({ field, error, disabled = false }: LeftOutSegmentsProps) {
  const ids = field.value;
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-2">
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
    <li className="flex max-w-full min-w-0 items-center gap-1 rounded-small bg-sunken pl-2 text-13">
      <bdi className="min-w-0 py-1 wrap-anywhere">{name}</bdi>
      <IconButton
        label={`Do not leave out ${name}`}
        icon={<X aria-hidden="true" className="size-3.5" />}
        disabled={disabled}
        onClick={onRemove}
      />
    </li>
  );
}
