import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Answer } from '#web/testing/answer-requests.ts';
import { bring, sampleDocument, samplePicture } from '#web/testing/files.ts';
import { sampleUpload } from '#web/testing/samples.ts';
import { accepted, fill, message, open, openStored, preview, send } from './bulk-send-scene.tsx';

const file = page.getByRole('group', { name: 'Attached file' });
const tryFirst = page.getByRole('button', { name: 'Test first' });

async function openWith(upload: () => Answer | Promise<Answer>) {
  const picture = await samplePicture();
  return open(accepted, {
    'POST /api/media': upload,
    'GET /api/media/media_1': () => ({ body: picture }),
    'GET /api/media/media_1/thumbnail': () => ({ body: picture }),
  });
}

const uploaded = () => ({ status: 201, body: sampleUpload() });
const attachPicture = async () => bring('drop', message.element(), { files: [await samplePicture()] });

beforeEach(() => page.viewport(1600, 1200));

test('a picture shows on the handset, is waited for, and goes with every message', async () => {
  const upload = Promise.withResolvers<Answer>();
  const { runs } = await openWith(() => upload.promise);
  await fill('Hi {name}');
  await attachPicture();
  await expect.element(preview.getByRole('img', { name: 'bag.png' })).toBeVisible();
  await expect.element(page.getByText('Wait until the file is uploaded.')).toBeVisible();
  await expect.element(send).toBeDisabled();
  await expect.element(tryFirst).toBeDisabled();
  upload.resolve(uploaded());
  await expect.element(file.getByText('Picture · 1.9 MB')).toBeVisible();
  await message.fill('');
  await send.click();
  await expect.element(page.getByText('Completed. Sent: 3, Failed: 0')).toBeVisible();
  expect(runs.runs).toMatchObject([{ message: '', media: { id: 'media_1' } }]);
});

test('a test carries the file, and counts for a run with this very file alone', async () => {
  const { requests, runs } = await openWith(uploaded);
  await fill('Hi {name}');
  await attachPicture();
  await expect.element(file.getByText('Picture · 1.9 MB')).toBeVisible();
  await tryFirst.click();
  await expect.element(page.getByText('Test message sent successfully')).toBeVisible();
  const [tried] = requests.filter(({ url }) => url.endsWith('/send-message'));
  const body = { to: '14155550101', type: 'image', media: { id: 'media_1' }, message: 'Hi Ada' };
  expect(await tried?.json()).toEqual(body);
  await file.getByRole('button', { name: 'Remove bag.png' }).click();
  await send.click();
  await expect.element(page.getByText('Completed. Sent: 3, Failed: 0')).toBeVisible();
  expect(runs.texts.map(({ row }) => row)).toEqual([1, 2, 4]);
});

test('the file is there after a reload, and a text that is too long for it is refused', async () => {
  const { userId } = await openWith(() => ({
    status: 201,
    body: sampleUpload({ mime_type: 'application/pdf', file_name: 'plan.pdf', size: 8 }),
  }));
  await fill('x'.repeat(1025));
  await expect.element(send).toBeEnabled();
  bring('paste', message.element(), { files: [sampleDocument()] });
  await expect.element(file.getByText('Document · 8 B')).toBeVisible();
  await expect.element(message).toHaveAccessibleDescription('Use at most 1024 characters with a file');
  await expect.element(page.getByText('1,025 / 1,024')).toBeVisible();
  await expect.element(send).toBeDisabled();
  const stored = await openStored(userId);
  expect(stored.getState().setup.media).toMatchObject({ id: 'media_1', type: 'document', file_name: 'plan.pdf' });
});
