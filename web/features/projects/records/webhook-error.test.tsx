import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from '#web/testing/render.tsx';
import { WebhookError } from './webhook-error.tsx';

const sixty = 'x'.repeat(60);
const more = page.getByRole('button', { name: 'View more' });
const less = page.getByRole('button', { name: 'View less' });

test('shows 60 characters whole', async () => {
  render(<WebhookError text={sixty} />);
  await expect.element(page.getByText(sixty, { exact: true })).toBeVisible();
  await expect.element(more).not.toBeInTheDocument();
});

test('cuts a longer error at 60 characters, and shows all of it on demand', async () => {
  render(<WebhookError text={`${sixty}yz`} />);
  await expect.element(page.getByText(`${sixty}...`)).toBeVisible();
  await more.click();
  await expect.element(page.getByText(`${sixty}yz`)).toBeVisible();
  await less.click();
  await expect.element(page.getByText(`${sixty}...`)).toBeVisible();
});

test('never cuts through a character', async () => {
  render(<WebhookError text={`${'x'.repeat(59)}🕊️ and on`} />);
  await expect.element(page.getByText(`${'x'.repeat(59)}🕊...`)).toBeVisible();
});
