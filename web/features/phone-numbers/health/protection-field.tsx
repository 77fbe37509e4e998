import { useWatch } from 'react-hook-form';
import type { z } from 'zod';
import { Switch } from '#web/shared/form/switch.tsx';
import type { FormOf } from '#web/shared/form/use-zod-form.ts';
import type { PhoneForm } from '../proxy-field.tsx';
import { Warning } from './warning.tsx';
import { protectionHint, protectionOff } from './protection-words.ts';

/** Whether queued messages keep a pace; off, it says what can happen. */
export function ProtectionField({ form }: { form: FormOf<z.input<typeof PhoneForm>> }) {
  const isProtected = useWatch({ control: form.control, name: 'is_protected' });
  return (
    <div className="grid gap-2">
      <Switch form={form} name="is_protected" label="Protection" hint={protectionHint} />
      {!isProtected && <Warning text={protectionOff} />}
    </div>
  );
}
