import { Link } from '@tanstack/react-router';
import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { clearSession, startSession } from '#web/shared/session.ts';
import { answerRequests } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { sampleUser } from '#web/testing/samples.ts';
import { OfficialForm } from './official-form.tsx';

test('secrets that were typed are not left behind unasked: no draft has them', async () => {
  answerRequests({});
  startSession({ token: 'token', user: sampleUser() });
  onTestFinished(clearSession);
  const form = (
    <>
      <Link to="/">Elsewhere</Link>
      <OfficialForm projectId={1} />
    </>
  );
  const { page: element, address } = inRouter(form, '/projects/1/connect');
  render(element);
  await page.getByLabelText('Business account ID').fill('102290129340398');
  await page.getByRole('link', { name: 'Elsewhere' }).click();
  const question = page.getByRole('alertdialog', { name: 'Discard what you typed?' });
  await question.getByRole('button', { name: 'Keep editing' }).click();
  expect(address()).toBe('/projects/1/connect');
  await expect.element(page.getByLabelText('Business account ID')).toHaveValue('102290129340398');
  await page.getByRole('link', { name: 'Elsewhere' }).click();
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect.poll(address).toBe('/');
});
