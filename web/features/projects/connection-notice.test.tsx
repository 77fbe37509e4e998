import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Sending } from '#contracts/projects.ts';
import { answerRequests } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { sampleProject } from '#web/testing/samples.ts';
import { ConnectionNotice } from './connection-notice.tsx';

function open(sending: Partial<Sending>): void {
  answerRequests({ 'GET /api/projects/3/phone-numbers': () => ({ body: { data: [] } }) });
  const project = sampleProject();
  render(inRouter(<ConnectionNotice project={{ ...project, sending: { ...project.sending, ...sending } }} />).page);
}

test('says WhatsApp Connected where a real phone can send now', async () => {
  open({});
  await expect.element(page.getByText('WhatsApp Connected')).toBeVisible();
});

test('says Sandbox connected where only a sandbox sends', async () => {
  open({ connector: 'sandbox' });
  await expect.element(page.getByText('Sandbox connected')).toBeVisible();
  await expect.element(page.getByText('WhatsApp Connected')).not.toBeInTheDocument();
});

test('a sandbox that takes no part is not called connected: why, and a button that links a phone', async () => {
  const message = 'Only a sandbox is connected, and it has stepped back for your real phone.';
  open({ can_send: false, connector: null, reason: 'sandbox_resting', message });
  await expect.element(page.getByText('This project cannot send now')).toBeVisible();
  await expect.element(page.getByText(message)).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Connect WhatsApp' })).toBeVisible();
});

test('phones that are switched off lead to the phone numbers', async () => {
  open({ can_send: false, connector: null, reason: 'phones_inactive', message: 'They are switched off' });
  await expect
    .element(page.getByRole('link', { name: 'Phone numbers' }))
    .toHaveAttribute('href', '/projects/3/phone-numbers');
});
