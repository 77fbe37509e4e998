import { clsx } from 'clsx';
import { CheckInput } from '#web/shared/form/checkbox.tsx';
import { controlClass } from '#web/shared/form/control-class.ts';
import { Field } from '#web/shared/form/field.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import type { Editing } from './use-template-draft.ts';

/** An authentication template, whose words are WhatsApp's own. */
export function CodeCard({ editing: { draft, change, errorOf, isReadOnly } }: { editing: Editing }) {
  return (
    <Card
      title="Text"
      description="WhatsApp writes it in the template’s language, with the code and a button that copies it."
    >
      <fieldset disabled={isReadOnly} className="grid gap-5">
        <legend className="sr-only">Text</legend>
        <CheckInput
          label="Add that the code is not to be shared"
          checked={draft.hasWarning}
          onChange={({ target }) => change({ hasWarning: target.checked })}
        />
        <Field
          label="The code holds for, minutes"
          hint="1 to 90, said below the text. Empty: nothing is said."
          error={errorOf('minutes')}
          className="max-w-64"
        >
          {(control) => (
            <input
              {...control}
              inputMode="numeric"
              autoComplete="off"
              maxLength={2}
              value={draft.minutes}
              onChange={({ target }) => change({ minutes: target.value })}
              className={clsx(controlClass, 'h-(--control) px-3 tabular-nums')}
            />
          )}
        </Field>
      </fieldset>
    </Card>
  );
}
