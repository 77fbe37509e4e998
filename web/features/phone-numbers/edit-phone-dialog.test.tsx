import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { answerRequests, problem } from '#web/testing/answer-requests.ts';
import { render } from '#web/testing/render.tsx';
import { sampleOfficialPhone, samplePhone } from '#web/testing/samples.ts';
import { EditPhoneDialog } from './edit-phone-dialog.tsx';

const proxy = page.getByLabelText('Proxy (Optional)');
const testButton = page.getByRole('button', { name: 'Test proxy' });
const save = page.getByRole('button', { name: 'Save Changes' });
const shown = 'socks5://proxy.example.com:1080';

const open = (phone = samplePhone()) => render(<EditPhoneDialog phone={phone} onClose={() => undefined} />);

test('a proxy is tried as it is typed, and the answer is shown', async () => {
  const message = 'The proxy of this phone could not be used: it refuses the user name and password.';
  const requests = answerRequests({
    'POST /api/phone-numbers/7/proxy/test': () => ({ body: { works: false, message } }),
  });
  open();
  await expect.element(testButton).toBeDisabled();
  await proxy.fill('socks5://ada:x@proxy.example.com');
  await testButton.click();
  await expect.element(page.getByText(message)).toBeVisible();
  expect(requests).toHaveLength(1);
  expect(await requests[0]?.json()).toEqual({ proxy: 'socks5://ada:x@proxy.example.com' });
});

test('the answer for an address goes as another one is typed', async () => {
  const message = 'WhatsApp was reached through the proxy in 212 ms.';
  answerRequests({ 'POST /api/phone-numbers/7/proxy/test': () => ({ body: { works: true, message } }) });
  open();
  await proxy.fill('socks5://proxy.example.com');
  await testButton.click();
  await expect.element(page.getByText(message)).toBeVisible();
  await proxy.fill('socks5://proxy.example.org');
  await expect.element(page.getByText(message)).not.toBeInTheDocument();
});

test('an invalid proxy is not tried, and a refusal of the server is shown at the field', async () => {
  const requests = answerRequests({
    'POST /api/phone-numbers/7/proxy/test': () => problem(422, 'invalid_input', 'It is private and not allowed'),
  });
  open();
  await proxy.fill('nonsense');
  await testButton.click();
  await expect.element(page.getByText(/Enter an address such as/)).toBeVisible();
  expect(requests).toEqual([]);
  await proxy.fill('http://10.0.0.1:8080');
  await testButton.click();
  await expect.element(page.getByText('It is private and not allowed')).toBeVisible();
});

test.for([
  ['untouched, it stays', undefined, undefined],
  ['cleared, it goes', '', null],
  ['another one takes its place', 'http://other.example.com:3128', 'http://other.example.com:3128'],
] as const)('a saved proxy: %s', async ([, typed, sent]) => {
  const phone = samplePhone({ proxy: shown });
  const requests = answerRequests({ 'PUT /api/phone-numbers/7': () => ({ body: phone }) });
  open(phone);
  await expect.element(proxy).toHaveValue(shown);
  if (typed !== undefined) await proxy.fill(typed);
  await save.click();
  await expect.poll(() => requests.length).toBe(1);
  const body = (await requests[0]?.json()) as { proxy?: string | null } | undefined;
  expect(body?.proxy).toBe(sent);
});

test('protection is sent only where it was changed, with a warning beside it', async () => {
  const phone = samplePhone();
  const requests = answerRequests({ 'PUT /api/phone-numbers/7': () => ({ body: phone }) });
  open(phone);
  await page.getByRole('switch', { name: 'Protection' }).click();
  await expect.element(page.getByText(/banned within days/)).toBeVisible();
  await save.click();
  await expect.poll(() => requests.length).toBe(1);
  const body = (await requests[0]?.json()) as { protection?: object } | undefined;
  expect(body?.protection).toEqual({ is_protected: false });
});

test('a sandbox has none', async () => {
  answerRequests({});
  open(samplePhone({ connector: 'sandbox' }));
  await expect.element(save).toBeVisible();
  await expect.element(proxy).not.toBeInTheDocument();
});

test('calls are rejected with a text, which is asked for only then', async () => {
  const requests = answerRequests({ 'PUT /api/phone-numbers/7': () => ({ body: samplePhone() }) });
  open();
  const text = page.getByLabelText('Text to the caller (Optional)');
  await expect.element(text).not.toBeInTheDocument();
  await page.getByLabelText('Reject calls').click();
  await text.fill('Please write to us.');
  await save.click();
  await expect.poll(() => requests.length).toBe(1);
  expect(await requests[0]?.json()).toMatchObject({ calls: { reject: true, text: 'Please write to us.' } });
});

test('a masked access token is refused at its field, and sent by nobody', async () => {
  const phone = { ...sampleOfficialPhone(), id: 7 };
  const requests = answerRequests({ 'PUT /api/phone-numbers/7': () => ({ body: phone }) });
  open(phone);
  const token = page.getByLabelText('Access token');
  await token.fill('EAA••• 1');
  await save.click();
  await expect.element(token).toHaveAccessibleDescription(/Enter it as Meta shows it, without spaces/);
  expect(requests).toEqual([]);
  await token.fill(' EAA1 ');
  await save.click();
  await expect.poll(() => requests.length).toBe(1);
  expect(await requests[0]?.json()).toMatchObject({ cloud: { access_token: 'EAA1' } });
});
