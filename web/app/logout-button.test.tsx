import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { clearSession, getSession, startSession } from '#web/shared/session.ts';
import { answerRequests } from '#web/testing/answer-requests.ts';
import { render } from '#web/testing/render.tsx';
import { sampleUser } from '#web/testing/samples.ts';
import { LogoutButton } from './logout-button.tsx';

test('a double click leaves once', async () => {
  startSession({ token: 'token', user: sampleUser() });
  onTestFinished(clearSession);
  const requests = answerRequests({ 'POST /api/auth/logout': () => ({ status: 204 }) });
  render(<LogoutButton />);
  await page.getByRole('button', { name: 'Logout' }).dblClick();
  expect(getSession().token).toBeNull();
  expect(requests).toHaveLength(1);
});
