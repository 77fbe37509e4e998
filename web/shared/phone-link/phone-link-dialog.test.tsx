import { useState } from 'react';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { unscannedWords } from '#contracts/phone-numbers.ts';
import type { LinkState, PhoneNumber } from '#contracts/phone-numbers.ts';
import { answerRequests, problem, type Answer } from '#web/testing/answer-requests.ts';
import { render } from '#web/testing/render.tsx';
import { samplePhone } from '#web/testing/samples.ts';
import { PhoneLinkDialog } from './phone-link-dialog.tsx';

const pixel = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';
const dialog = page.getByRole('dialog', { name: 'Scan QR Code' });
const image = page.getByRole('img', { name: 'QR code to link a phone' });
const waiting = page.getByText('Waiting for QR code...');

/** The server's present answers; a test changes them as a handset would. */
type Server = { connect: () => Answer | Promise<Answer>; phone: PhoneNumber };

function code(name: string, lifeMs = 60_000): Answer {
  const expires_at = new Date(Date.now() + lifeMs).toISOString();
  return { body: { phone_id: 7, qr_code: `${pixel}#${name}`, qr_payload: name, expires_at } satisfies LinkState };
}

function startLink(server: Server): Request[] {
  const requests = answerRequests({
    'GET /api/phone-numbers/7/connect': () => server.connect(),
    'GET /api/projects/3/phone-numbers': () => ({ body: { data: [server.phone] } }),
    'POST /api/phone-numbers/7/pairing-code': () => ({ body: { pairing_code: 'K7WQ3MZP' } }),
  });
  render(<Example />);
  return requests;
}

function Example() {
  const [isOpen, setOpen] = useState(true);
  return isOpen && <PhoneLinkDialog projectId={3} phoneId={7} onClose={() => setOpen(false)} />;
}

beforeEach(() => page.viewport(1280, 800));

test('waits, shows the code, and closes with the good news once the phone is connected', async () => {
  const first = Promise.withResolvers<Answer>();
  const server: Server = { connect: () => first.promise, phone: samplePhone() };
  startLink(server);
  await expect.element(waiting).toBeVisible();
  await expect.element(dialog).toHaveTextContent('Scan this QR code with WhatsApp to connect this phone number');
  first.resolve(code('first'));
  await expect.element(image).toHaveAttribute('src', `${pixel}#first`);
  server.phone = samplePhone({ is_connected: true, status: 'connected' });
  await expect.element(page.getByText('Phone connected successfully!'), { timeout: 8000 }).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
});

test('says so when the phone needed no code', async () => {
  startLink({ connect: () => ({ body: { status: 'connected', phone_id: 7 } }), phone: samplePhone() });
  await expect.element(page.getByText('Phone already connected')).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
});

test('shows the next code when one expires', async () => {
  const codes = [code('first', 500), code('second')];
  startLink({ connect: () => codes.shift() ?? code('late'), phone: samplePhone() });
  await expect.element(image).toHaveAttribute('src', `${pixel}#first`);
  await expect.element(image).toHaveAttribute('src', `${pixel}#second`);
});

test('goes on with new codes when all that WhatsApp offered ran out', async () => {
  const server: Server = { connect: () => code('first', 500), phone: samplePhone() };
  startLink(server);
  await expect.element(image).toHaveAttribute('src', `${pixel}#first`);
  server.phone = samplePhone({ error: unscannedWords });
  server.connect = () => problem(502, 'link_failed', unscannedWords);
  await expect.element(waiting, { timeout: 8000 }).toBeVisible();
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
  server.phone = samplePhone();
  server.connect = () => code('second');
  await expect.element(image, { timeout: 8000 }).toHaveAttribute('src', `${pixel}#second`);
});

test('shows why linking was refused, and tries again', async () => {
  const server: Server = { connect: () => problem(502, 'link_failed', 'WhatsApp is away.'), phone: samplePhone() };
  startLink(server);
  await expect.element(page.getByRole('alert')).toHaveTextContent('Failed to connect phoneWhatsApp is away.');
  server.connect = () => code('second');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(image).toBeVisible();
});

test('keeps the reason of a failed scan, and asks for no other code meanwhile', async () => {
  const first = code('first', 500);
  const connect = vi.fn(() => first);
  startLink({ connect, phone: samplePhone({ status: 'auth_failed', error: 'Another number scanned.' }) });
  await expect.element(page.getByRole('alert')).toHaveTextContent('Another number scanned.');
  const asked = connect.mock.calls.length;
  const firstAskedAt = Date.now();
  await expect.poll(() => Date.now() > firstAskedAt + 1000).toBe(true);
  expect(connect).toHaveBeenCalledTimes(asked);
});

test('gives up after five minutes, and starts anew when asked', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const requests = startLink({ connect: () => code('first', 3_600_000), phone: samplePhone() });
  await vi.waitFor(() => expect(requests.length).toBeGreaterThan(1));
  vi.advanceTimersByTime(5 * 60_000);
  vi.useRealTimers();
  await expect.element(page.getByRole('alert')).toHaveTextContent('We stopped waiting after 5 minutes.');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(image).toBeVisible();
});

test('offers a code to type instead', async () => {
  startLink({ connect: () => code('first'), phone: samplePhone() });
  await page.getByRole('button', { name: 'Use a pairing code' }).click();
  await expect.element(page.getByText('K7WQ-3MZP')).toBeVisible();
});

test('copies the code to type as it stands, for whoever reads this on the handset itself', async () => {
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  onTestFinished(() => writeText.mockRestore());
  startLink({ connect: () => code('first'), phone: samplePhone() });
  await page.getByRole('button', { name: 'Use a pairing code' }).click();
  await page.getByRole('button', { name: 'Copy pairing code' }).click();
  await expect.element(page.getByText('Pairing code copied to clipboard')).toBeVisible();
  expect(writeText).toHaveBeenCalledWith('K7WQ3MZP');
});

test.each([
  ['a handset', 390, true, 'before'],
  ['a narrow window', 390, false, 'after'],
] as const)(
  'on %s of %i pixels, touch: %s, the code to type comes %s the QR code',
  async (_, width, isTouch, place) => {
    await page.viewport(width, 844);
    const match = window.matchMedia.bind(window);
    const spy = vi.spyOn(window, 'matchMedia').mockImplementation((query) => {
      return match(query.replace('(pointer: coarse)', isTouch ? '(min-width: 0)' : '(max-width: 0)'));
    });
    onTestFinished(() => spy.mockRestore());
    startLink({ connect: () => code('first'), phone: samplePhone() });
    await expect.element(image).toBeVisible();
    const alternative = page.getByRole('button', { name: 'Use a pairing code' });
    await expect.element(alternative).toBeVisible();
    const { y } = alternative.element().getBoundingClientRect();
    expect(y < image.element().getBoundingClientRect().y ? 'before' : 'after').toBe(place);
  },
);
