import { useState } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answerRequests } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { PeopleFilter } from './people-filter.tsx';

let chosen: string | undefined;

function Filter({ value }: { value: string | undefined }) {
  const [json, setJson] = useState(value);
  return (
    <PeopleFilter
      value={json}
      onChange={(next) => {
        chosen = next;
        setJson(next);
      }}
    />
  );
}

function open(value?: string): void {
  answerRequests({
    'GET /api/profile-fields': () => ({ body: { data: [] } }),
    'GET /api/fields': () => ({ body: { data: [] } }),
    'GET /api/segments': () => ({ body: { data: [] } }),
    'GET /api/topics': () => ({ body: { data: [] } }),
    'POST /api/segments/preview': () => ({
      body: { count: 2, total: 40, served_by: 'scan', sample: [], lines: [] },
    }),
  });
  render(inRouter(<Filter value={value} />, '/profiles').page);
}

test('conditions are built in a dialog, shown in words, changed and taken away', async () => {
  open(JSON.stringify({ field: 'email', op: 'exists' }));
  const chip = page.getByRole('button', { name: /^Conditions are/ });
  await expect.element(chip).toBeVisible();
  await chip.click();
  const dialog = page.getByRole('dialog', { name: 'People who…' });
  await dialog.getByRole('button', { name: 'Use these people' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(JSON.parse(chosen ?? 'null')).toEqual({ all: [{ field: 'email', op: 'exists' }] });
  await page.getByRole('button', { name: /^Remove filter Conditions are/ }).click();
  await expect.element(page.getByRole('button', { name: 'Conditions' })).toBeVisible();
  expect(chosen).toBeUndefined();
});

test('conditions of an address that are none say so, and can be taken away', async () => {
  open('{"all":[]}');
  await expect.element(page.getByText('not valid')).toBeVisible();
  await page.getByRole('button', { name: 'Remove filter Conditions are not valid' }).click();
  expect(chosen).toBeUndefined();
});

test('conditions that were built are not lost by Escape unasked, and unchanged ones are left at once', async () => {
  open(JSON.stringify({ field: 'email', op: 'exists' }));
  const chip = page.getByRole('button', { name: /^Conditions are/ });
  await chip.click();
  const dialog = page.getByRole('dialog', { name: 'People who…' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await chip.click();
  await dialog.getByRole('group', { name: 'Add a condition' }).getByRole('button', { name: 'Event' }).click();
  await userEvent.keyboard('{Escape}');
  const question = page.getByRole('alertdialog', { name: 'Discard what you typed?' });
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect.element(dialog.getByRole('combobox', { name: 'Event' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
});
