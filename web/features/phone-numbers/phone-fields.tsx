import type { FieldPath, FieldValues } from 'react-hook-form';
import { isSimulated } from '#contracts/connectors.ts';
import type { ConnectorName } from '#contracts/connectors.ts';
import { TextField } from '#web/shared/form/text-field.tsx';
import type { FormOf } from '#web/shared/form/use-zod-form.ts';

/** The fields of a phone that can be set when it is added, and changed later. */
export function PhoneFields<T extends FieldValues>({ form, connector }: { form: FormOf<T>; connector: ConnectorName }) {
  const field = (name: 'name' | 'priority' | 'max_daily_messages') => name as FieldPath<T>;
  return (
    <>
      <TextField form={form} name={field('name')} label="Name (Optional)" autoComplete="off" />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          form={form}
          name={field('priority')}
          label="Priority"
          hint="Higher priority phones are used first"
          numeric
          step={1}
        />
        <TextField
          form={form}
          name={field('max_daily_messages')}
          label="Max Daily Messages"
          hint={isSimulated(connector) ? 'Empty: as many as there are' : 'Maximum messages per day for this phone'}
          numeric
          mayBeNone={isSimulated(connector)}
          min={1}
          step={1}
        />
      </div>
    </>
  );
}
