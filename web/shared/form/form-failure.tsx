import { CircleAlert } from 'lucide-react';
import { clsx } from 'clsx';
import { useFormState, type FieldValues } from 'react-hook-form';
import { Sentence } from '../ui/sentence.tsx';
import type { FormOf } from './use-zod-form.ts';

type FormFailureProps<T extends FieldValues> = { form: FormOf<T>; className?: string };

/** Why the form could not be saved, where no field is to blame; until the next try, since a toast is gone too soon. */
export function FormFailure<T extends FieldValues>({ form, className }: FormFailureProps<T>) {
  const { errors } = useFormState({ control: form.control });
  const message = errors.root?.message;
  if (message === undefined) return null;
  return (
    <p
      role="alert"
      className={clsx(
        'flex items-start gap-2 rounded-base border border-red-dot/30 bg-red-wash/70 px-3 py-2 wrap-anywhere',
        className,
      )}
    >
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-red-ink" />
      <span className="min-w-0">
        <Sentence text={message} />
      </span>
    </p>
  );
}
