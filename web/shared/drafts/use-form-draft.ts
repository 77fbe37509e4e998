import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { restoredValues, typedContent } from './draft-content.ts';
import type { DraftTarget } from './draft-keeper.ts';
import { useDraft, type FormDraft } from './use-draft.ts';

/** Keeps what is typed into a form on the server. Undefined for a form without a draft. */
export function useFormDraft<T extends FieldValues, Output>(
  form: UseFormReturn<T, unknown, Output>,
  target: DraftTarget | undefined,
): FormDraft | undefined {
  const opened = () => (form.formState.defaultValues ?? {}) as T;
  return useDraft(target, {
    opened,
    read: () => typedContent(form.getValues(), opened()),
    show: (content) => form.reset(restoredValues(opened(), content), { keepDefaultValues: true }),
    watch: (onChange) => form.subscribe({ formState: { values: true }, callback: onChange }),
  });
}
