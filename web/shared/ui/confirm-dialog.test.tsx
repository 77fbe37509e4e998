import { useState } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from '#web/testing/render.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';

function Example({ onConfirm }: { onConfirm: () => Promise<void> }) {
  const [isOpen, setOpen] = useState(true);
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={() => setOpen(false)}
      title="Delete Support US?"
      confirmLabel="Delete"
      busyLabel="Deleting..."
      onConfirm={onConfirm}
    >
      This action cannot be undone.
    </ConfirmDialog>
  );
}

const dialog = page.getByRole('alertdialog', { name: 'Delete Support US?' });

test('focuses Cancel, so that Enter harms nothing', async () => {
  let isDeleted = false;
  render(
    <Example
      onConfirm={() => {
        isDeleted = true;
        return Promise.resolve();
      }}
    />,
  );
  await expect.element(dialog).toHaveAccessibleDescription('This action cannot be undone.');
  await expect.element(page.getByRole('button', { name: 'Cancel' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog).not.toBeInTheDocument();
  expect(isDeleted).toBe(false);
});

test('is busy until the deed is done, then closes', async () => {
  const deleting = Promise.withResolvers<void>();
  render(<Example onConfirm={() => deleting.promise} />);
  await page.getByRole('button', { name: 'Delete' }).click();
  await expect.element(page.getByRole('button', { name: 'Deleting...' })).toBeDisabled();
  deleting.resolve();
  await expect.element(dialog).not.toBeInTheDocument();
});

test('stays for another try when it failed', async () => {
  render(<Example onConfirm={() => Promise.reject(new Error('refused'))} />);
  await page.getByRole('button', { name: 'Delete' }).click();
  await expect.element(page.getByRole('button', { name: 'Delete' })).toBeEnabled();
  await expect.element(dialog).toBeVisible();
});
