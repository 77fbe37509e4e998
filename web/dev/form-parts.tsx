import { useState } from 'react';
import { z } from 'zod';
import { CheckInput } from '#web/shared/form/checkbox.tsx';
import { Combobox } from '#web/shared/form/combobox.tsx';
import { Field } from '#web/shared/form/field.tsx';
import { FileDrop } from '#web/shared/form/file-drop.tsx';
import { PasswordField } from '#web/shared/form/password-field.tsx';
import { PasswordRules } from '#web/shared/form/password-rules.tsx';
import { Select } from '#web/shared/form/select.tsx';
import { Switch } from '#web/shared/form/switch.tsx';
import { TextArea } from '#web/shared/form/text-area.tsx';
import { TextField } from '#web/shared/form/text-field.tsx';
import { useZodForm } from '#web/shared/form/use-zod-form.ts';
import { SearchInput } from '#web/shared/table/search-input.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { Card } from '#web/shared/ui/card.tsx';
import { Part } from './part.tsx';

const Sample = z.object({
  name: z.string().min(1, 'Enter a name'),
  count: z.int('Enter a whole number'),
  password: z.string().min(8, 'Use at least 8 characters'),
  project: z.string().min(1, 'Please select a project'),
  message: z.string().min(1, 'Enter a message'),
  active: z.boolean(),
});

const nothing = () => undefined;
const paths = ['custom_fields.installed', 'custom_fields.plan', 'email'];

export function FormParts() {
  return (
    <>
      <Fields />
      <Part
        title="Other controls"
        states={{
          checkbox: (
            <>
              <CheckInput label="Off" />
              <CheckInput label="On" defaultChecked />
              <CheckInput label="Disabled" disabled />
              <CheckInput label="With a hint" hint="What it is good for." />
            </>
          ),
          'combobox that suggests': <Suggesting />,
          search: <SearchInput label="Search profiles" value="" onSearch={nothing} />,
        }}
      />
      <Part
        title="File drop"
        states={{
          idle: <Drop />,
          busy: <Drop busy="Reading..." />,
          refused: <Drop error="Missing required headers: phone" />,
        }}
      />
    </>
  );
}

/** Press the button to see every field refuse. */
function Fields() {
  const form = useZodForm(Sample, {
    name: '',
    count: 1000,
    password: '',
    project: '',
    message: '',
    active: true,
  });
  const options = [
    { value: '1', label: 'Larkspur Store' },
    { value: '2', label: 'Not connected', disabled: true },
  ];
  return (
    <Card title="Fields">
      <form
        noValidate
        onSubmit={(event) => void form.handleSubmit(nothing)(event)}
        className="grid gap-4 sm:grid-cols-2"
      >
        <TextField form={form} name="name" label="Name" hint="With a hint beneath" placeholder="Installed users" />
        <TextField form={form} name="count" label="A number" numeric />
        <PasswordField
          form={form}
          name="password"
          label="Password"
          autoComplete="new-password"
          hint={<PasswordRules password="correct" />}
        />
        <Select form={form} name="project" label="Project" placeholder="Select a project" options={options} />
        <TextArea form={form} name="message" label="Message" />
        <div className="grid content-start gap-4">
          <TextField form={form} name="name" label="Disabled" disabled />
          <Switch form={form} name="active" label="Active" />
        </div>
        <div>
          <Button type="submit">Refuse them all</Button>
        </div>
      </form>
    </Card>
  );
}

function Suggesting() {
  const [value, setValue] = useState('custom_fields.');
  const suggestions = paths.filter((path) => path.includes(value)).map((path) => ({ value: path, aside: 'true' }));
  return (
    <Field label="Field Path" className="w-80">
      {(control) => (
        <Combobox
          {...control}
          value={value}
          onChange={setValue}
          suggestions={suggestions}
          suggestionsLabel="Field paths"
          match={value}
        />
      )}
    </Field>
  );
}

function Drop(props: { busy?: string; error?: string }) {
  return (
    <div className="w-full">
      <FileDrop
        label="Choose a CSV file, or drop it here"
        hint="With a header row."
        accept=".csv"
        onFile={nothing}
        {...props}
      />
    </div>
  );
}
