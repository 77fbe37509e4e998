import { clsx } from 'clsx';
import { controlClass } from '#web/shared/form/control-class.ts';
import { Field } from '#web/shared/form/field.tsx';
import { exampleNames } from './draft.ts';
import type { Editing } from './use-template-draft.ts';

/** The examples that the reviewer sees in place of each variable. */
export function ExampleFields({ editing: { draft, change, errorOf, isReadOnly } }: { editing: Editing }) {
  const names = exampleNames(draft);
  if (names.length === 0) return null;
  return (
    <fieldset disabled={isReadOnly} className="grid gap-3">
      <legend className="mb-3">
        <span className="block text-13 font-medium">Examples</span>
        <span className="block text-13 text-muted">What the reviewer sees. No real people’s data.</span>
      </legend>
      <div className="grid gap-3 sm:grid-cols-2">
        {names.map((name) => (
          <Field key={name} label={labelOf(name)} error={errorOf(`examples.${name}`)}>
            {(control) => (
              <input
                {...control}
                dir="auto"
                autoComplete="off"
                maxLength={500}
                value={draft.examples[name] ?? ''}
                onChange={({ target }) => change({ examples: { ...draft.examples, [name]: target.value } })}
                className={clsx(controlClass, 'h-(--control) px-3')}
              />
            )}
          </Field>
        ))}
      </div>
    </fieldset>
  );
}

const labelOf = (name: string) =>
  /^header_\d+$/.test(name) ? `{{${name.slice('header_'.length)}}} of the header` : `{{${name}}}`;
