import type { FieldPath, FieldValues } from 'react-hook-form';
import { TextField } from '#web/shared/form/text-field.tsx';
import type { FormOf } from '#web/shared/form/use-zod-form.ts';

type SecretFieldsProps<T extends FieldValues> = { form: FormOf<T>; prefix?: string; isReplacing?: boolean };

const kept = 'Stored and not shown. Enter another one to replace it.';

/** The two secrets of a number of the official API. */
export function SecretFields<T extends FieldValues>({ form, prefix = '', isReplacing = false }: SecretFieldsProps<T>) {
  const field = (name: string) => `${prefix}${name}` as FieldPath<T>;
  const common = { type: 'password', autoComplete: 'off', spellCheck: false, required: !isReplacing } as const;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        form={form}
        name={field('access_token')}
        label="Access token"
        hint={
          isReplacing
            ? kept
            : 'Of a system user, without an end, with whatsapp_business_messaging and whatsapp_business_management.'
        }
        {...common}
      />
      <TextField
        form={form}
        name={field('app_secret')}
        label="App secret"
        hint={isReplacing ? kept : 'Proves that a webhook really comes from Meta.'}
        {...common}
      />
    </div>
  );
}
