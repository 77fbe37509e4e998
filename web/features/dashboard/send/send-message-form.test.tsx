import { expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import { setCurrentProject } from '#web/shared/session.ts';
import { answerRequests, problem, type Answer } from '#web/testing/answer-requests.ts';
import { render } from '#web/testing/render.tsx';
import { sampleProject, sampleWhatsappTemplate } from '#web/testing/samples.ts';
import { SendMessageForm } from './send-message-form.tsx';

const project = page.getByRole('combobox', { name: 'Project' });
const recipient = page.getByRole('textbox', { name: 'Recipient number' });
const message = page.getByRole('textbox', { name: 'Message' });
const send = page.getByRole('button', { name: 'Send message' });

function open(answer: () => Answer): () => Request[] {
  const requests = answerRequests({ 'POST /api/send-message': answer });
  render(<SendMessageForm projects={[sampleProject()]} />);
  return () => sentOf(requests);
}

/** Without what the page asks about the number while it is typed. */
const sentOf = (requests: readonly Request[]): Request[] => requests.filter(({ method }) => method === 'POST');

async function fill(name = 'Larkspur Store'): Promise<void> {
  await project.selectOptions(name);
  await recipient.fill('+1 (415) 555-0132');
  await message.fill('Hello Ada');
}

const accepted = (status: string) => ({ body: { id: 1, project_id: 3, status } });

test('sends through the current project unless another is chosen, and keeps it after sending', async () => {
  const requests = answerRequests({ 'POST /api/send-message': () => accepted('sent') });
  const [first, second] = [sampleProject(), sampleProject({ id: 4, name: 'Second shop', auth_key: 'dpa_second' })];
  setCurrentProject(4);
  onTestFinished(() => setCurrentProject(null));
  render(<SendMessageForm projects={[first, second]} />);
  await expect.element(project).toHaveValue('4');
  setCurrentProject(3);
  await expect.element(project).toHaveValue('3');
  await fill('Second shop');
  await send.click();
  await expect.element(page.getByText('Message sent successfully')).toBeVisible();
  await expect.element(project).toHaveValue('4');
  expect(sentOf(requests)[0]?.headers.get('x-auth-key')).toBe('dpa_second');
});

test('asks for what is missing and sends nothing', async () => {
  const requests = open(() => accepted('sent'));
  await send.click();
  await expect.element(recipient).toHaveAccessibleDescription(/^Enter a recipient number/);
  await expect.element(message).toHaveAccessibleDescription('Enter a message');
  expect(requests()).toHaveLength(0);
});

test('shows the message as it is typed, sends it as the project, and starts anew', async () => {
  const requests = open(() => accepted('sent'));
  await fill();
  await expect.element(page.getByRole('region', { name: 'Preview' })).toHaveTextContent('Hello Ada');
  await send.click();
  await expect.element(page.getByText('Message sent successfully')).toBeVisible();
  await expect.element(project).toHaveValue('3');
  await expect.element(recipient).toHaveValue('');
  await expect.element(message).toHaveValue('');
  expect(requests()[0]?.headers.get('x-auth-key')).toBe('dpa_test');
  expect(await requests()[0]?.json()).toEqual({ to: '+14155550132', message: 'Hello Ada' });
});

test('a member who does not see the auth key sends by their session, for the project that they chose', async () => {
  const requests = answerRequests({ 'POST /api/send-message': () => accepted('sent') });
  render(<SendMessageForm projects={[sampleProject({ id: 4, auth_key: null })]} />);
  await fill();
  await send.click();
  await expect.element(page.getByText('Message sent successfully')).toBeVisible();
  const headers = sentOf(requests)[0]?.headers;
  expect([headers?.get('x-auth-key'), headers?.get('current-project-id')]).toEqual([null, '4']);
});

test('has other words for a message that is still on its way', async () => {
  open(() => ({ ...accepted('pending'), status: 202 }));
  await fill();
  await send.click();
  await expect.element(page.getByText('Message accepted, it is being sent')).toBeVisible();
});

test('says how a number is written, and that sending failed where no reason is known', async () => {
  open(() => problem(502, 'refused', ''));
  await expect.element(recipient).toHaveAccessibleDescription('Include the country code, without + or spaces.');
  await fill();
  await send.click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('Failed to send message');
});

test("shows the server's reason and keeps what was typed", async () => {
  open(() => problem(422, 'not_on_whatsapp', 'This number is not on WhatsApp'));
  await fill();
  await send.click();
  await expect.element(page.getByRole('alert')).toHaveTextContent('This number is not on WhatsApp');
  await expect.element(message).toHaveValue('Hello Ada');
});

test('repeats a try that was cut off as the same message, and another text as another', async () => {
  const requests = open(() => {
    throw new TypeError('network');
  });
  await fill();
  await send.click();
  await expect.poll(() => requests().length).toBe(1);
  await expect.element(send).toBeEnabled();
  await send.click();
  await expect.poll(() => requests().length).toBe(2);
  await expect.element(send).toBeEnabled();
  await message.fill('Hello Grace');
  await send.click();
  await expect.poll(() => requests().length).toBe(3);
  const [first, repeated, other] = requests().map(({ headers }) => headers.get('idempotency-key'));
  expect(repeated).toBe(first);
  expect(other).not.toBe(first);
});

test('outside of the 24 hours it offers approved templates, and the text is there on going back', async () => {
  const requests = answerRequests({
    'POST /api/send-message': async (request) =>
      ((await request.json()) as { type?: string }).type === 'template'
        ? accepted('sent')
        : problem(409, 'window_closed', 'They have not written for 24 hours'),
    'GET /api/whatsapp-templates': () => ({
      body: { data: [sampleWhatsappTemplate()], total: 1, page: 1, pageSize: 100 },
    }),
  });
  render(<SendMessageForm projects={[sampleProject()]} />);
  await fill();
  await send.click();
  await expect.element(page.getByText('Only an approved template reaches this person now')).toBeVisible();
  await page.getByRole('button', { name: 'Back to the text' }).click();
  await expect.element(message).toHaveValue('Hello Ada');
  await send.click();
  await page.getByRole('combobox', { name: 'Template' }).click();
  await page.getByRole('option', { name: /order_ready/ }).click();
  await page.getByLabelText('first_name').fill('Ada');
  await page.getByLabelText('order').fill('4821');
  await page.getByRole('button', { name: 'Send template' }).click();
  await expect.element(page.getByText('Message sent successfully')).toBeVisible();
  expect(await sentOf(requests).at(-1)?.json()).toEqual({
    to: '+14155550132',
    type: 'template',
    template: { name: 'order_ready', language: 'en_GB', variables: { first_name: 'Ada', order: '4821' } },
  });
  await expect.element(recipient).toHaveValue('');
});
