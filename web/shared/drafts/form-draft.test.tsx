import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { z } from 'zod';
import { answerRequests, problem, type Answer } from '#web/testing/answer-requests.ts';
import { render } from '#web/testing/render.tsx';
import { FormDialog } from '../form/form-dialog.tsx';
import { TextField } from '../form/text-field.tsx';
import { useZodForm } from '../form/use-zod-form.ts';

const Note = z.object({ name: z.string().min(1, 'Enter a name'), text: z.string() });
const opened = { name: 'Order', text: '' };
const draft = {
  kind: 'template',
  key: '7',
  name: null,
  revision: 4,
  updated_at: '2026-10-14T09:12:00.000Z',
  content: { text: 'Ready' },
};
const stored = {
  'GET /api/drafts': () => ({ body: { data: [draft] } }),
  'GET /api/drafts/template/7': () => ({ body: draft }),
};
const path = 'PUT /api/drafts/template/7';

function NoteDialog({ onClose }: { onClose: () => void }) {
  const form = useZodForm(Note, opened);
  return (
    <FormDialog
      onClose={onClose}
      title="Edit note"
      draft={{ kind: 'template', key: '7' }}
      form={form}
      onSubmit={() => Promise.resolve()}
      submitLabel="Save"
      busyLabel="Saving..."
      failureText="Failed to save"
    >
      <TextField form={form} name="name" label="Name" />
      <TextField form={form} name="text" label="Text" />
    </FormDialog>
  );
}

function Example() {
  const [isOpen, setOpen] = useState(true);
  return isOpen && <NoteDialog onClose={() => setOpen(false)} />;
}

const changed = (there: object) => ({
  status: 409,
  body: { code: 'draft_changed', message: 'Changed', docs: '', request_id: 'x', draft: there },
});

type Answers = Record<string, (request: Request) => Answer | Promise<Answer>>;

function open(answers: Answers): { bodies: (method: string) => Promise<unknown[]> } {
  const requests = answerRequests(answers);
  render(<Example />);
  const bodies = (method: string) =>
    Promise.all(
      requests
        .filter((request) => request.method === method)
        .map(async (request) => (method === 'DELETE' ? new URL(request.url).search : await request.clone().json())),
    );
  return { bodies };
}

const dialog = page.getByRole('dialog', { name: 'Edit note' });
const text = page.getByRole('textbox', { name: 'Text' });
const saved = page.getByText('Draft saved');

beforeEach(async () => {
  await page.viewport(1200, 800);
});

test('only what was typed is kept, under the revision that it changes', async () => {
  let revision = 4;
  const { bodies } = open({
    [path]: async (request) => {
      revision += 1;
      const { content } = (await request.json()) as { content: unknown };
      return { body: { ...draft, content, revision } };
    },
    'DELETE /api/drafts/template/7': () => ({ status: 204 }),
  });
  await text.fill('Ready at six');
  await expect.element(saved).toBeVisible();
  await text.fill('Ready at seven');
  await expect
    .poll(() => bodies('PUT'))
    .toEqual([
      { content: { text: 'Ready at six' }, revision: null },
      { content: { text: 'Ready at seven' }, revision: 5 },
    ]);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.poll(() => bodies('DELETE')).toEqual(['?revision=6']);
});

test('a form begins with its draft; what is back to how it was is no draft', async () => {
  const { bodies } = open({ ...stored, 'DELETE /api/drafts/template/7': () => ({ status: 204 }) });
  await expect.element(text).toHaveValue('Ready');
  await expect.element(page.getByText(/^This is your draft from/)).toBeVisible();
  await text.fill('');
  await expect.poll(() => bodies('DELETE')).toEqual(['?revision=4']);
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
});

test('the fields wait for the draft, and the first one has the focus then', async () => {
  const read = Promise.withResolvers<Answer>();
  const { bodies } = open({
    'GET /api/drafts': () => read.promise,
    'GET /api/drafts/template/7': () => ({ body: draft }),
    [path]: () => ({ body: { ...draft, revision: 5 } }),
  });
  const name = page.getByRole('textbox', { name: 'Name' });
  await expect.element(text).toBeDisabled();
  await expect.element(page.getByRole('button', { name: 'Save' })).toBeDisabled();
  read.resolve({ body: { data: [draft] } });
  await expect.element(text).toHaveValue('Ready');
  await expect.element(text).toBeEnabled();
  await expect.element(name).toHaveFocus();
  await text.fill('Ready at six');
  await expect.poll(() => bodies('PUT')).toEqual([{ content: { text: 'Ready at six' }, revision: 4 }]);
});

test('a form whose draft cannot be read can be filled in', async () => {
  open({ 'GET /api/drafts': () => problem(400, 'invalid', 'No') });
  await expect.element(text).toBeEnabled();
  await text.fill('Ready');
  await expect.element(page.getByText('The draft could not be saved')).toBeVisible();
});

test('typing waits only so long; a draft that is read afterwards is shown as an earlier one', async () => {
  const read = Promise.withResolvers<Answer>();
  open({
    'GET /api/drafts': () => read.promise,
    'GET /api/drafts/template/7': () => ({ body: draft }),
    [path]: () => changed(draft),
  });
  await expect.element(text, { timeout: 10_000 }).toBeEnabled();
  await text.fill('Typed now');
  read.resolve({ body: { data: [draft] } });
  const clash = page.getByRole('alertdialog', { name: 'You have a draft of this already' });
  await expect.element(clash.getByRole('row', { name: 'Text Typed now Ready' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByText('You have another draft')).toBeVisible();
  await page.getByRole('button', { name: 'Compare' }).click();
  await clash.getByRole('button', { name: 'Take the draft' }).click();
  await expect.element(text).toHaveValue('Ready');
});

test('a field that the draft keeps in another shape is left out', async () => {
  open({
    ...stored,
    'GET /api/drafts/template/7': () => ({ body: { ...draft, content: { name: ['x'], text: 'Hi' } } }),
  });
  await expect.element(text).toHaveValue('Hi');
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Order');
});

test('closing asks nothing where the draft has it all, and asks where it could not be saved', async () => {
  let isAway = true;
  open({ [path]: () => (isAway ? problem(503, 'busy', 'Busy') : { body: { ...draft, revision: 5 } }) });
  await text.fill('Ready');
  await userEvent.keyboard('{Escape}');
  const question = page.getByRole('alertdialog', { name: 'Discard what you typed?' });
  await expect.element(question).toBeVisible();
  await page.getByRole('button', { name: 'Keep editing' }).click();
  isAway = false;
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(page.getByText('Kept as a draft')).toBeVisible();
});

test('a text over another one is shown beside it, and saved over it where it is chosen', async () => {
  const there = { content: { text: 'Theirs' }, revision: 9, updated_at: draft.updated_at };
  const { bodies } = open({
    [path]: async (request) => {
      const { content, revision } = (await request.json()) as { content: unknown; revision: number | null };
      if (revision === 9) return { body: { ...draft, content, revision: 10 } };
      return changed(there);
    },
  });
  await text.fill('Mine');
  const clash = page.getByRole('alertdialog', { name: 'This draft was changed in another tab' });
  await expect.element(clash.getByText('Theirs')).toBeVisible();
  await expect.element(clash.getByText('Mine')).toBeVisible();
  await clash.getByRole('button', { name: 'Keep this one' }).click();
  await expect.element(clash).not.toBeInTheDocument();
  await expect.element(saved).toBeVisible();
  expect((await bodies('PUT')).at(-1)).toEqual({ content: { text: 'Mine' }, revision: 9 });
});

test('a text that was taken back here is kept as none over the other one, where that is chosen later', async () => {
  const there = { content: { text: 'Theirs' }, revision: 9, updated_at: draft.updated_at };
  const { bodies } = open({
    [path]: () => changed(there),
    'DELETE /api/drafts/template/7': () => ({ status: 204 }),
  });
  await text.fill('Mine');
  const clash = page.getByRole('alertdialog', { name: 'This draft was changed in another tab' });
  await expect.element(clash).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await text.fill('');
  await page.getByRole('button', { name: 'Compare' }).click();
  await clash.getByRole('button', { name: 'Keep this one' }).click();
  await expect.element(clash).not.toBeInTheDocument();
  expect(await bodies('DELETE')).toEqual(['?revision=9']);
});
