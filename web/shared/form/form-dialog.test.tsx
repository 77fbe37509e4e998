import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { z } from 'zod';
import { render } from '#web/testing/render.tsx';
import { ApiError } from '../api-error.ts';
import { FormDialog } from './form-dialog.tsx';
import { TextField } from './text-field.tsx';
import { useZodForm } from './use-zod-form.ts';

const Person = z.object({ name: z.string().min(1, 'Enter a name'), age: z.int('Enter a whole number') });
type Save = (values: z.output<typeof Person>) => Promise<void>;

function Example({ onSave }: { onSave: Save }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      {isOpen && <PersonDialog onSave={onSave} onClose={() => setOpen(false)} />}
    </>
  );
}

function PersonDialog({ onSave, onClose }: { onSave: Save; onClose: () => void }) {
  const form = useZodForm(Person, { name: '', age: 1 });
  return (
    <FormDialog
      onClose={onClose}
      title="New person"
      form={form}
      onSubmit={onSave}
      submitLabel="Save"
      busyLabel="Saving..."
      failureText="Failed to save"
    >
      <TextField form={form} name="name" label="Name" />
      <TextField form={form} name="age" label="Age" numeric />
    </FormDialog>
  );
}

const dialog = page.getByRole('dialog');
const nameField = page.getByRole('textbox', { name: 'Name' });

async function open(onSave: Save): Promise<void> {
  render(<Example onSave={onSave} />);
  await page.getByRole('button', { name: 'Open' }).click();
  await expect.element(nameField).toHaveFocus();
}

test('focuses the first field, saves on Enter, closes, and gives the focus back', async () => {
  const onSave = vi.fn<Save>(() => Promise.resolve());
  await open(onSave);
  await userEvent.keyboard('Maya{Enter}');
  await expect.element(dialog).not.toBeInTheDocument();
  expect(onSave).toHaveBeenCalledExactlyOnceWith({ name: 'Maya', age: 1 });
  await expect.element(page.getByRole('button', { name: 'Open' })).toHaveFocus();
});

test('shows what is wrong at its field and sends nothing', async () => {
  const onSave = vi.fn<Save>(() => Promise.resolve());
  await open(onSave);
  await userEvent.keyboard('{Enter}');
  await expect.element(nameField).toBeInvalid();
  await expect.element(nameField).toHaveAccessibleDescription('Enter a name');
  expect(onSave).not.toHaveBeenCalled();
});

test('reads an emptied number as none', async () => {
  await open(() => Promise.resolve());
  await nameField.fill('Maya');
  await page.getByRole('spinbutton', { name: 'Age' }).fill('');
  await userEvent.keyboard('{Enter}');
  await expect
    .element(page.getByRole('spinbutton', { name: 'Age' }))
    .toHaveAccessibleDescription('Enter a whole number');
});

test("puts the server's field errors on their fields", async () => {
  await open(() =>
    Promise.reject(
      new ApiError(422, {
        code: 'invalid_input',
        message: 'Check the fields',
        errors: [{ path: 'name', message: 'Taken' }],
      }),
    ),
  );
  await userEvent.keyboard('Maya{Enter}');
  await expect.element(nameField).toHaveAccessibleDescription('Taken');
  await expect.element(page.getByText('Check the fields')).not.toBeInTheDocument();
});

test('any other failure stands in the form until the next try, and everything typed is still there', async () => {
  const saving = Promise.withResolvers<void>();
  const onSave = vi.fn<Save>(() => saving.promise).mockRejectedValueOnce(new Error('a fault of the page'));
  await open(onSave);
  await userEvent.keyboard('Maya{Enter}');
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Failed to save');
  expect(document.querySelectorAll('[data-toast]')).toHaveLength(0);
  await expect.element(nameField).toHaveValue('Maya');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.element(page.getByRole('button', { name: 'Saving...' })).toBeDisabled();
  await expect.element(dialog.getByRole('alert')).not.toBeInTheDocument();
});

test('is busy while it saves', async () => {
  const saving = Promise.withResolvers<void>();
  await open(() => saving.promise);
  await userEvent.keyboard('Maya{Enter}');
  await expect.element(page.getByRole('button', { name: 'Saving...' })).toBeDisabled();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).toBeVisible();
  saving.resolve();
  await expect.element(dialog).not.toBeInTheDocument();
});

test('Escape closes it at once when nothing was typed', async () => {
  await open(() => Promise.resolve());
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
});

test('asks before it throws away what was typed', async () => {
  await open(() => Promise.resolve());
  await userEvent.keyboard('Maya{Escape}');
  await expect.element(page.getByRole('button', { name: 'Keep editing' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(nameField).toHaveValue('Maya');
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
});
