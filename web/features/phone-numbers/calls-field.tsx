import { useWatch } from 'react-hook-form';
import type { z } from 'zod';
import { Checkbox } from '#web/shared/form/checkbox.tsx';
import { TextArea } from '#web/shared/form/text-area.tsx';
import type { FormOf } from '#web/shared/form/use-zod-form.ts';
import type { PhoneForm } from './proxy-field.tsx';

/** Whether calls are rejected, and what the caller is sent then. */
export function CallsField({ form }: { form: FormOf<z.input<typeof PhoneForm>> }) {
  const rejects = useWatch({ control: form.control, name: 'rejects_calls' });
  return (
    <div className="grid gap-3">
      <Checkbox
        form={form}
        name="rejects_calls"
        label="Reject calls"
        hint="WhatsApp calls end at once, also on the handset."
      />
      {rejects && (
        <TextArea
          form={form}
          name="rejected_call_text"
          label="Text to the caller (Optional)"
          hint="Sent once an hour at most."
          placeholder="We cannot take calls here. Please write to us."
          rows={2}
        />
      )}
    </div>
  );
}
