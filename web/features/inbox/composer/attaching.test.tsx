import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { UploadedMedia } from '#contracts/media.ts';
import { attachments } from '#web/shared/attach/attachments.ts';
import { problem, type Answer } from '#web/testing/answer-requests.ts';
import { bring, chooseFile, sampleDocument, samplePicture } from '#web/testing/files.ts';
import { sampleMessage, sampleUpload } from '#web/testing/samples.ts';
import { composer, list, log, send, showInbox } from '../testing/inbox-scene.tsx';

beforeEach(async () => {
  localStorage.clear();
  attachments.forgetAll();
  await page.viewport(1440, 900);
});

const uploaded = (changes: Partial<UploadedMedia> = {}): Answer => ({ status: 201, body: sampleUpload(changes) });

function open(upload: () => Answer | Promise<Answer>, reply?: () => Answer | Promise<Answer>) {
  return showInbox({
    path: '/inbox?conversation=40',
    messages: [sampleMessage()],
    ...(reply && { reply }),
    answers: { 'POST /api/media': upload },
  });
}

const card = page.getByText('bag.png', { exact: true });

test('a chosen picture shows its progress, takes a caption, and goes as a picture', async () => {
  const upload = Promise.withResolvers<Answer>();
  const { sent } = open(() => upload.promise);
  await expect.element(composer).toBeVisible();
  await chooseFile(await samplePicture());
  await expect.element(page.getByRole('progressbar', { name: 'Upload of bag.png' })).toBeVisible();
  await expect.element(composer).toHaveFocus();
  await userEvent.keyboard('The one on its way');
  await expect.element(page.getByText('The file is still being uploaded')).toBeVisible();
  await expect.element(send).toBeDisabled();
  await userEvent.keyboard('{Enter}');
  expect(sent('POST', '/messages')).toHaveLength(0);
  upload.resolve(uploaded());
  await expect.element(page.getByText('Picture · 1.9 MB')).toBeVisible();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => sent('POST', '/40/messages').length).toBe(1);
  const body = { type: 'image', media: { id: 'media_1' }, message: 'The one on its way' };
  expect(await sent('POST', '/40/messages')[0]?.json()).toMatchObject(body);
  await expect.element(card).not.toBeInTheDocument();
  const [request] = sent('POST', '/media');
  expect(request && Object.fromEntries(new URL(request.url).searchParams)).toEqual({
    file_name: 'bag.png',
    project_id: '3',
  });
});

test('a picture on its way stands in the thread, and one that is refused stays there with the way on', async () => {
  let isRefused = true;
  const { sent } = open(uploaded, () =>
    isRefused ? problem(409, 'phones_limited', 'WhatsApp restricts the phone') : { status: 201, body: sampleMessage() },
  );
  await expect.element(composer).toBeVisible();
  bring('paste', composer.element(), { files: [await samplePicture()] });
  await expect.element(send).toBeEnabled();
  await send.click();
  await expect.element(page.getByText('Not sent. WhatsApp restricts the phone')).toBeVisible();
  await expect.element(log.getByRole('img', { name: 'bag.png' })).toBeVisible();
  isRefused = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(page.getByText(/Not sent/)).not.toBeInTheDocument();
  const bodies = await Promise.all(sent('POST', '/40/messages').map((request) => request.json()));
  expect(bodies).toEqual([bodies[0], bodies[0]]);
});

test('a dropped document keeps its name; of several files the first is taken, which is said', async () => {
  const { sent } = open(() => uploaded({ mime_type: 'application/pdf', file_name: 'plan.pdf', size: 8 }));
  await expect.element(composer).toBeVisible();
  await expect.element(log).toBeVisible();
  bring('drop', log.element(), { files: [sampleDocument(), sampleDocument('other.pdf')] });
  await expect.element(page.getByText('One file goes with a message.')).toBeVisible();
  await expect.element(page.getByText('Document · 8 B')).toBeVisible();
  await send.click();
  await expect.poll(() => sent('POST', '/40/messages').length).toBe(1);
  const body = { type: 'document', media: { id: 'media_1' }, file_name: 'plan.pdf' };
  expect(await sent('POST', '/40/messages')[0]?.json()).toMatchObject(body);
});

test('on a handset, a long name of a file leaves the buttons in the window', async () => {
  await page.viewport(390, 844);
  open(uploaded);
  await expect.element(composer).toBeVisible();
  await chooseFile(await samplePicture(`${'a-bag-that-nobody-has-seen-'.repeat(4)}.png`));
  await expect.element(page.getByText('Picture · 1.9 MB')).toBeVisible();
  expect(send.element().getBoundingClientRect().right).toBeLessThanOrEqual(390);
});

test('a text that is pasted with a picture of itself stays a text', async () => {
  const { sent } = open(uploaded);
  await expect.element(composer).toBeVisible();
  bring('paste', composer.element(), { files: [await samplePicture()], text: 'A1\tB1' });
  await expect.element(card).not.toBeInTheDocument();
  expect(sent('POST', '/media')).toHaveLength(0);
});

test('an upload that is cancelled ends, and the text goes alone', async () => {
  const upload = Promise.withResolvers<Answer>();
  const { sent } = open(() => upload.promise);
  await composer.fill('Hello');
  await chooseFile(await samplePicture());
  await page.getByRole('button', { name: 'Cancel the upload of bag.png' }).click();
  await expect.element(card).not.toBeInTheDocument();
  await expect.poll(() => sent('POST', '/media')[0]?.signal.aborted).toBe(true);
  await send.click();
  await expect.poll(() => sent('POST', '/40/messages').length).toBe(1);
  expect(await sent('POST', '/40/messages')[0]?.json()).toMatchObject({ message: 'Hello' });
});

test.each([
  [413, 'storage_quota_reached', 'The files that you have uploaded take up all of your room'],
  [422, 'media_not_supported', 'Files of this type cannot be sent: application/zip'],
])('a file that the server refuses with %i says why and cannot be tried again', async (status, code, message) => {
  open(() => problem(status, code, message));
  await expect.element(composer).toBeVisible();
  await chooseFile(await samplePicture());
  await expect.element(page.getByRole('alert')).toHaveTextContent(message);
  await expect.element(page.getByText('Remove the file to send the text')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Try again' })).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Remove bag.png' }).click();
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
});

test('an upload that was cut off is tried again', async () => {
  let isCut = true;
  open(() => {
    if (isCut) throw new TypeError('network');
    return uploaded();
  });
  await expect.element(composer).toBeVisible();
  await chooseFile(await samplePicture());
  await expect.element(page.getByRole('alert')).toHaveTextContent('Dovepost cannot be reached');
  isCut = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(page.getByText('Picture · 1.9 MB')).toBeVisible();
});

test('a file that is too large is refused before a byte of it leaves', async () => {
  const { sent } = open(uploaded);
  await expect.element(composer).toBeVisible();
  const film = sampleDocument('film.mp4');
  Object.defineProperty(film, 'size', { value: 100 * 1024 * 1024 + 1 });
  // A file that passed through the input is a copy, with its own size.
  attachments.add('conversation 40', film, { projectId: 3 });
  await expect.element(page.getByRole('alert')).toHaveTextContent('a file may have at most 100 MB');
  expect(sent('POST', '/media')).toHaveLength(0);
});

test('a picture too large for one goes as a document, and a caption has its own limit', async () => {
  open(() => uploaded({ size: 6 * 1024 * 1024 }));
  await expect.element(composer).toBeVisible();
  await chooseFile(await samplePicture());
  await expect.element(page.getByText('over 5 MB, so it goes as a document')).toBeVisible();
  await composer.fill('x'.repeat(1025));
  await expect.element(page.getByText('1,025 / 1,024')).toBeVisible();
  await expect.element(send).toBeDisabled();
});

test('a sound goes without a text', async () => {
  open(() => uploaded({ mime_type: 'audio/ogg' }));
  await composer.fill('Listen');
  await chooseFile(new File(['OggS'], 'note.ogg', { type: 'audio/ogg' }));
  await expect.element(page.getByText('A sound has no caption: send the text by itself')).toBeVisible();
  await expect.element(send).toBeDisabled();
});

test('an upload goes on while one looks at another conversation', async () => {
  const upload = Promise.withResolvers<Answer>();
  open(() => upload.promise);
  await expect.element(composer).toBeVisible();
  await chooseFile(await samplePicture());
  await expect.element(card).toBeVisible();
  await list.getByText('+61 491 570 156').click();
  await expect.element(card).not.toBeInTheDocument();
  upload.resolve(uploaded());
  await list.getByText('Ada Lindqvist').click();
  await expect.element(page.getByText('Picture · 1.9 MB')).toBeVisible();
});
