import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { permissionsOf } from '#contracts/roles.ts';
import { clearSession, setCurrentUser } from '#web/shared/session.ts';
import { answerRequests } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { sampleMembership, sampleSubscription, sampleUser } from '#web/testing/samples.ts';
import { AddPhoneDialog } from './add-phone-dialog.tsx';

test('a developer, who connects sandboxes alone, is offered nothing else', async () => {
  answerRequests({});
  setCurrentUser({
    user: sampleUser(),
    subscription: sampleSubscription(),
    ...sampleMembership(),
    role: 'developer',
    permissions: permissionsOf({ role: 'developer', projectIds: null }),
  });
  onTestFinished(clearSession);
  render(inRouter(<AddPhoneDialog projectId={1} onClose={() => undefined} />).page);
  await expect.element(page.getByRole('radio', { name: /Sandbox/ })).toBeChecked();
  await expect.element(page.getByRole('radio', { name: /^WhatsApp/ })).not.toBeInTheDocument();
  await expect.element(page.getByRole('link', { name: 'official WhatsApp API' })).not.toBeInTheDocument();
});
