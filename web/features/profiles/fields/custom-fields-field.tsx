import { clsx } from 'clsx';
import { useState } from 'react';
import { useController } from 'react-hook-form';
import { TextArea } from '#web/shared/form/text-area.tsx';
import { useFieldError, type FormOf } from '#web/shared/form/use-zod-form.ts';
import type { ProfileFormValues } from '../profile-form.ts';
import { DraftList } from './draft-list.tsx';
import { draftsOf, readDrafts, type FieldDraft } from './field-drafts.ts';

const views = [
  { id: 'fields', label: 'Fields' },
  { id: 'json', label: 'JSON' },
] as const;

type View = (typeof views)[number]['id'];

/** Custom fields line by line, or as the JSON that is stored; both are the same text of the form. */
export function CustomFieldsField({ form }: { form: FormOf<ProfileFormValues> }) {
  const { field } = useController({ control: form.control, name: 'custom_fields' });
  const { field: problemField } = useController({ control: form.control, name: 'field_problem' });
  const error = useFieldError(form, 'custom_fields');
  const [drafts, setDrafts] = useState(() => readText(field.value));
  const [view, setView] = useState<View>(drafts === undefined ? 'json' : 'fields');

  function show(next: View): void {
    if (next === 'fields') {
      const read = readText(form.getValues('custom_fields'));
      if (read === undefined) {
        void form.trigger('custom_fields');
        return;
      }
      setDrafts(read);
    }
    problemField.onChange('');
    setView(next);
  }

  function change(next: FieldDraft[]): void {
    setDrafts(next);
    const { fields, problem } = readDrafts(next);
    problemField.onChange(problem === undefined ? '' : problem.message);
    if (problem === undefined) field.onChange(fields === null ? '' : JSON.stringify(fields, null, 2));
  }

  return (
    <fieldset className="grid min-w-0 gap-2">
      <legend className="float-left w-full">
        <span className="flex items-center justify-between gap-2 text-13 font-medium">
          Custom fields
          <span role="group" aria-label="How custom fields are edited" className="flex gap-0.5">
            {views.map(({ id, label }) => (
              <button
                key={id}
                type="button"
                aria-pressed={view === id}
                onClick={() => show(id)}
                className={clsx(
                  'h-7 rounded-small px-2 text-12 font-medium',
                  view === id ? 'bg-pressed text-ink' : 'text-muted hover:bg-hover hover:text-ink',
                )}
              >
                {label}
              </button>
            ))}
          </span>
        </span>
      </legend>
      {view === 'fields' && drafts !== undefined ? (
        <DraftList drafts={drafts} onChange={change} isChecked={form.formState.isSubmitted} />
      ) : (
        <TextArea
          form={form}
          name="custom_fields"
          label="Custom fields"
          quietLabel
          hint="A JSON object: what you know beyond this. Segments, flows and messages can use it."
          mono
          rows={6}
          spellCheck={false}
          autoCapitalize="none"
          placeholder={'{\n  "plan": "trial",\n  "installed": true\n}'}
        />
      )}
      {view === 'fields' && error !== undefined && (
        <p role="alert" className="text-13 text-red-ink">
          {error}
        </p>
      )}
    </fieldset>
  );
}

/** Undefined for what is no JSON object. */
function readText(text: string): FieldDraft[] | undefined {
  if (text.trim() === '') return [];
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? draftsOf(value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
