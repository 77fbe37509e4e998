import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { clearSession, setCurrentUser, startSession } from '#web/shared/session.ts';
import { formatLongDate } from '#web/shared/time-format.ts';
import { render } from '#web/testing/render.tsx';
import { sampleSubscription, sampleUser } from '#web/testing/samples.ts';
import { SuspensionBanner } from './suspension-banner.tsx';

test('a suspended account reads why and since when, until it is lifted', async () => {
  const since = '2026-11-20T10:00:00.000Z';
  const current = { user: sampleUser(), subscription: sampleSubscription() };
  startSession({ token: 'token', user: sampleUser() });
  onTestFinished(clearSession);
  setCurrentUser({ ...current, suspension: { reason: 'Complaints about unwanted messages.', since } });
  render(<SuspensionBanner />);
  const banner = page.getByRole('region', { name: 'Suspension' });
  await expect.element(banner).toHaveTextContent('Complaints about unwanted messages.');
  await expect.element(banner).toHaveTextContent(formatLongDate(since));
  setCurrentUser({ ...current, suspension: null });
  await expect.element(banner).not.toBeInTheDocument();
});
