import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answerRequests, problem } from '#web/testing/answer-requests.ts';
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
