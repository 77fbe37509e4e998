import { get, useFormState, type FieldPath, type FieldValues } from 'react-hook-form';
import type { FormOf } from '../form/use-zod-form.ts';

/** Finds the fault of a part of a form's template: of `variables.order`, or by the empty path of the template itself. */
export function useBoundErrors<T extends FieldValues>(form: FormOf<T>, name: FieldPath<T>) {
  const { errors } = useFormState({ control: form.control, name });
  return (path: string): string | undefined => {
    const found: { message?: unknown } | undefined = get(errors, path === '' ? name : `${name}.${path}`);
    return typeof found?.message === 'string' ? found.message : undefined;
  };
}
