import { zodResolver } from '@hookform/resolvers/zod';
import {
  get,
  useForm,
  useFormState,
  type DefaultValues,
  type FieldError,
  type FieldPath,
  type FieldValues,
  type UseFormReturn,
} from 'react-hook-form';
import type { z } from 'zod';

// A field knows the form by its inputs alone; what the schema makes of them concerns the submit.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type FormOf<T extends FieldValues> = UseFormReturn<T, unknown, any>;

/**
 * A form over a schema of the contracts: checked on submit, then on every change.
 * `defaultValues` are the fields as typed (the schema's input); the submit receives its output.
 */
export function useZodForm<Schema extends z.ZodType<FieldValues, FieldValues>>(
  schema: Schema,
  defaultValues: DefaultValues<z.input<Schema>>,
) {
  return useForm<z.input<Schema>, unknown, z.output<Schema>>({
    resolver: zodResolver(schema),
    defaultValues,
  });
}

export function useFieldError<T extends FieldValues>(form: FormOf<T>, name: FieldPath<T>): string | undefined {
  const { errors } = useFormState({ control: form.control, name });
  const error: FieldError | undefined = get(errors, name);
  return error?.message;
}
