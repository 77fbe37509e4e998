import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { OfficialFigures } from '#contracts/official-figures.ts';
import { answerRequests, problem } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { setUser } from '#web/shared/session.ts';
import { sampleUser } from '#web/testing/samples.ts';
import { WindowsCard } from './windows-card.tsx';

const path = 'GET /api/phone-numbers/7/figures';
const nobody = Array.from({ length: 24 }, () => 0);

const figures: OfficialFigures = {
  windows: { open: 212, by_hour: nobody.with(0, 9).with(11, 203), unread_within_hour: 4, wrote_today: 148 },
  first_answers_7d: { count: 31, median_seconds: 372 },
  sent_24h: 0,
  delivered_24h: 0,
  templates_delivered_7d: 0,
  templates_read_7d: 0,
};

test('the windows are told in figures and by the hour in which they shut', async () => {
  setUser(sampleUser());
  answerRequests({ [path]: () => ({ body: figures }) });
  render(inRouter(<WindowsCard phoneId={7} />, '/').page);
  await expect.element(page.getByRole('img', { name: /9 within 1 h, 203 within 12 h/ })).toBeVisible();
  for (const text of ['212', '4 unread', '148', '6 min', 'Median of 31'])
    await expect.element(page.getByText(text, { exact: true })).toBeVisible();
});

test('without a window it says that templates alone go, and a failure can be asked for again', async () => {
  setUser(sampleUser());
  let isAway = true;
  const windows = { open: 0, by_hour: nobody, unread_within_hour: 0, wrote_today: 0 };
  answerRequests({
    [path]: () => (isAway ? problem(503, 'unavailable', 'The database is away') : { body: { ...figures, windows } }),
  });
  render(inRouter(<WindowsCard phoneId={7} />, '/').page);
  await expect.element(page.getByText('Failed to load the windows')).toBeVisible();
  isAway = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(page.getByText(/only templates can be sent/)).toBeVisible();
});
