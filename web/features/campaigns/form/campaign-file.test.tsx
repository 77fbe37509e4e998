import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Campaign } from '#contracts/campaigns.ts';
import { setUser } from '#web/shared/session.ts';
import { answerRequests, problem, type Answer } from '#web/testing/answer-requests.ts';
import { bring, chooseFile, sampleDocument, samplePicture } from '#web/testing/files.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import {
  sampleCampaign,
  sampleCarried,
  sampleProject,
  sampleSegment,
  sampleUpload,
  sampleUser,
  noSkips,
} from '#web/testing/samples.ts';
import { CampaignDialog } from './campaign-dialog.tsx';

type Given = { campaign?: Campaign; copyOf?: Campaign };
type Answers = Record<string, (request: Request) => Answer | Promise<Answer>>;

async function open(given: Given = {}, answers: Answers = {}): Promise<Request[]> {
  const picture = await samplePicture();
  const preview = {
    total: 8,
    will_receive: 8,
    warnings: [],
    skipped: { ...noSkips, invalid_number: 0, opted_out: 0 },
    duplicates: 0,
    capped_waiting: 0,
    placeholders: [],
    samples: [],
    media: null,
    forecast: null,
  };
  const requests = answerRequests({
    'GET /api/projects': () => ({ body: { data: [sampleProject()] } }),
    'GET /api/segments': () => ({ body: { data: [sampleSegment()] } }),
    'GET /api/profile-fields': () => ({ body: { data: [] } }),
    'POST /api/campaigns/preview': () => ({ body: preview }),
    'POST /api/campaigns': () => ({ status: 201, body: sampleCampaign() }),
    'PUT /api/campaigns/4': () => ({ body: sampleCampaign() }),
    'POST /api/media': () => ({ status: 201, body: sampleUpload() }),
    'GET /api/media/media_1': () => ({ body: picture }),
    'GET /api/media/media_1/thumbnail': () => ({ body: picture }),
    ...answers,
  });
  setUser(sampleUser());
  render(inRouter(<Example {...given} />).page);
  await expect.element(nameField).toBeVisible();
  return requests;
}

function Example(given: Given) {
  const [isOpen, setOpen] = useState(true);
  return isOpen && <CampaignDialog {...given} onClose={() => setOpen(false)} />;
}

const nameField = page.getByRole('textbox', { name: 'Name' });
const message = page.getByRole('textbox', { name: 'Message' });
const file = page.getByRole('group', { name: 'Attached file' });
const bubble = page.getByRole('region', { name: 'Message Preview, scrolling' });
const create = page.getByRole('button', { name: 'Create Campaign' });
const save = page.getByRole('button', { name: 'Save Changes' });
const attach = file.getByRole('button', { name: 'Attach a file' });

async function fillTarget(): Promise<void> {
  await nameField.fill('Spring');
  await page.getByRole('combobox', { name: 'Segment', exact: true }).click();
  await page.getByRole('option', { name: 'Installed users' }).click();
}

const sent = (requests: readonly Request[], method: string, path: string) =>
  requests.filter((request) => request.method === method && new URL(request.url).pathname === path);
const bodyOf = (requests: readonly Request[], method: string, path: string): Promise<unknown> | undefined =>
  sent(requests, method, path).at(-1)?.json();

beforeEach(() => page.viewport(1600, 1200));

test('a picture is shown at once, waited for, and goes with the campaign, which needs no text then', async () => {
  const upload = Promise.withResolvers<Answer>();
  const requests = await open({}, { 'POST /api/media': () => upload.promise });
  await fillTarget();
  await expect.element(create).toBeDisabled();
  await chooseFile(await samplePicture());
  await expect.element(file.getByRole('progressbar', { name: 'Upload of bag.png' })).toBeVisible();
  await expect.element(bubble.getByRole('img', { name: 'bag.png' })).toBeVisible();
  await expect.element(page.getByText('Wait until the file is uploaded.')).toBeVisible();
  await expect.element(create).toBeDisabled();
  upload.resolve({ status: 201, body: sampleUpload() });
  await expect.element(file.getByText('Picture · 1.9 MB')).toBeVisible();
  await expect.element(bubble.getByRole('img', { name: 'bag.png' })).toBeVisible();
  await create.click();
  await expect.element(page.getByText('Campaign created')).toBeVisible();
  expect(await bodyOf(requests, 'POST', '/api/campaigns')).toMatchObject({ message: '', media: { id: 'media_1' } });
  const reviewed = await Promise.all(sent(requests, 'POST', '/api/campaigns/preview').map((each) => each.json()));
  expect(reviewed.at(-1)).toMatchObject({ media: { id: 'media_1' } });
});

test('a stored file shows what it is, stays where nothing is said of it, and is taken off', async () => {
  const requests = await open({ campaign: sampleCampaign({ media: sampleCarried() }) });
  await expect.element(file).toHaveTextContent('Offer.pdfDocument · 82.0 kB');
  await expect.element(bubble).toHaveTextContent('Offer.pdfPDF · 82.0 kB');
  await file.getByRole('button', { name: 'Remove Offer.pdf' }).click();
  await expect.element(attach).toHaveFocus();
  await expect.element(bubble).not.toHaveTextContent('Offer.pdf');
  await save.click();
  await expect.element(page.getByText('Campaign updated')).toBeVisible();
  expect(await bodyOf(requests, 'PUT', '/api/campaigns/4')).toMatchObject({ media: null });
});

test('another file takes the place of a stored one once it is uploaded; one that is cancelled leaves it', async () => {
  const upload = Promise.withResolvers<Answer>();
  const requests = await open(
    { campaign: sampleCampaign({ media: sampleCarried() }) },
    { 'POST /api/media': () => upload.promise },
  );
  bring('drop', message.element(), { files: [await samplePicture()] });
  await expect.element(file.getByText('Offer.pdf')).not.toBeInTheDocument();
  await file.getByRole('button', { name: 'Cancel the upload of bag.png' }).click();
  await expect.element(file.getByText('Offer.pdf')).toBeVisible();
  await expect.poll(() => sent(requests, 'POST', '/api/media')[0]?.signal.aborted).toBe(true);
  bring('paste', message.element(), { files: [await samplePicture()] });
  upload.resolve({ status: 201, body: sampleUpload() });
  await expect.element(file.getByText('Picture · 1.9 MB')).toBeVisible();
  await save.click();
  await expect.element(page.getByText('Campaign updated')).toBeVisible();
  expect(await bodyOf(requests, 'PUT', '/api/campaigns/4')).toMatchObject({ media: { id: 'media_1' } });
});

test('a copy carries the file of its original, with its name', async () => {
  const requests = await open({ copyOf: sampleCampaign({ media: sampleCarried() }) });
  await expect.element(file.getByText('Offer.pdf')).toBeVisible();
  await create.click();
  await expect.element(page.getByText('Campaign created')).toBeVisible();
  const media = { id: 'media_7', type: 'document', file_name: 'Offer.pdf' };
  expect(await bodyOf(requests, 'POST', '/api/campaigns')).toMatchObject({ media });
});

test('of a campaign that is over the file is locked as the message is', async () => {
  const requests = await open({ campaign: sampleCampaign({ status: 'completed', media: sampleCarried() }) });
  await expect.element(file.getByText('Document · 82.0 kB')).toBeVisible();
  await expect.element(file.getByRole('button')).not.toBeInTheDocument();
  bring('drop', message.element(), { files: [sampleDocument()] });
  await expect.element(file.getByText('plan.pdf')).not.toBeInTheDocument();
  await nameField.fill('Renamed');
  await save.click();
  await expect.element(page.getByText('Campaign updated')).toBeVisible();
  expect(await bodyOf(requests, 'PUT', '/api/campaigns/4')).toEqual({ name: 'Renamed' });
});

const refusal = 'A sound cannot go with a text below it.';

test('a sound is refused before a byte of it leaves, and Create waits until it is removed', async () => {
  const requests = await open();
  await fillTarget();
  await message.fill('Hi');
  await chooseFile(new File(['OggS'], 'jingle.ogg', { type: 'audio/ogg' }));
  await expect.element(file.getByRole('alert')).toHaveTextContent(refusal);
  await expect.element(page.getByText('Remove the file that cannot go.')).toBeVisible();
  await expect.element(create).toBeDisabled();
  await file.getByRole('button', { name: 'Remove jingle.ogg' }).click();
  await expect.element(create).toBeEnabled();
  expect(sent(requests, 'POST', '/api/media')).toHaveLength(0);
});

test('a sound by its content is refused, whatever it is called', async () => {
  await open({}, { 'POST /api/media': () => ({ status: 201, body: sampleUpload({ mime_type: 'audio/mpeg' }) }) });
  await chooseFile(sampleDocument('jingle.pdf'));
  await expect.element(file.getByRole('alert')).toHaveTextContent(refusal);
  await expect.element(file.getByRole('button', { name: 'Try again' })).not.toBeInTheDocument();
});

test('an upload that was cut off is tried again', async () => {
  let isCut = true;
  await open(
    {},
    {
      'POST /api/media': () => {
        if (isCut) throw new TypeError('network');
        return { status: 201, body: sampleUpload() };
      },
    },
  );
  await chooseFile(await samplePicture());
  await expect.element(file.getByRole('alert')).toHaveTextContent('Dovepost cannot be reached');
  isCut = false;
  await file.getByRole('button', { name: 'Try again' }).click();
  await expect.element(file.getByText('Picture · 1.9 MB')).toBeVisible();
});

test('a text under a file has fewer characters, which are counted', async () => {
  const requests = await open({ campaign: sampleCampaign({ media: sampleCarried() }) });
  await message.fill('x'.repeat(1025));
  await expect.element(page.getByText('1,025 / 1,024')).toBeVisible();
  await save.click();
  await expect.element(message).toHaveAccessibleDescription(/^Use at most 1024 characters with a file/);
  expect(sent(requests, 'PUT', '/api/campaigns/4')).toHaveLength(0);
  await file.getByRole('button', { name: 'Remove Offer.pdf' }).click();
  await expect.element(page.getByText('1,025 / 4,096')).toBeVisible();
  await expect.element(message).not.toHaveAccessibleDescription(/Use at most/);
});

test('an error of the server about the file stands at it', async () => {
  const errors = [{ path: 'media.id', message: 'The file has been removed' }];
  const refused = {
    ...problem(422, 'invalid_input', 'Check'),
    body: { code: 'invalid_input', message: 'Check', errors },
  };
  await open({ copyOf: sampleCampaign({ media: sampleCarried() }) }, { 'POST /api/campaigns': () => refused });
  await create.click();
  await expect.element(file.getByRole('alert')).toHaveTextContent('The file has been removed');
});

test('leaving while a file is uploaded asks first, and ends the upload', async () => {
  const upload = Promise.withResolvers<Answer>();
  const requests = await open({}, { 'POST /api/media': () => upload.promise });
  await chooseFile(await samplePicture());
  await expect.element(file.getByRole('progressbar')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect.element(nameField).not.toBeInTheDocument();
  await expect.poll(() => sent(requests, 'POST', '/api/media')[0]?.signal.aborted).toBe(true);
});
