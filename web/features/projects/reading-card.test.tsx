import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { answerRequests, problem } from '#web/testing/answer-requests.ts';
import type { Answer } from '#web/testing/answer-requests.ts';
import { render } from '#web/testing/render.tsx';
import { sampleProject } from '#web/testing/samples.ts';
import { ReadingCard } from './reading-card.tsx';

test('each switch is saved by itself, and one that is refused says so', async () => {
  let isRefused = false;
  const requests = answerRequests({
    'PUT /api/projects/3': () =>
      isRefused ? problem(503, 'not_ready', 'Try again in a moment') : { body: sampleProject({ read_receipts: true }) },
  });
  render(<ReadingCard project={sampleProject()} />);
  const receipts = page.getByRole('switch', { name: 'Read receipts' });
  const typing = page.getByRole('switch', { name: 'Typing' });
  await expect.element(receipts).not.toBeChecked();
  await receipts.click();
  await expect.poll(() => requests.length).toBe(1);
  expect(await requests.at(-1)?.json()).toEqual({ read_receipts: true });
  isRefused = true;
  await typing.click();
  await expect.element(page.getByText('Try again in a moment')).toBeVisible();
  expect(await requests.at(-1)?.json()).toEqual({ typing_indicators: true });
  await expect.element(typing).not.toBeChecked();
});

test('a switch keeps the focus while it is saved, and is not saved twice', async () => {
  const answer = Promise.withResolvers<Answer>();
  const requests = answerRequests({ 'PUT /api/projects/3': () => answer.promise });
  render(<ReadingCard project={sampleProject()} />);
  const receipts = page.getByRole('switch', { name: 'Read receipts' });
  await receipts.click();
  await expect.element(receipts).toHaveAttribute('aria-disabled', 'true');
  await expect.element(receipts).toHaveFocus();
  await userEvent.keyboard(' ');
  answer.resolve({ body: sampleProject({ read_receipts: true }) });
  await expect.element(receipts).not.toHaveAttribute('aria-disabled');
  await expect.element(receipts).toHaveFocus();
  expect(requests).toHaveLength(1);
});
