import { useState } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Flow } from '#contracts/flows.ts';
import type { Review } from '#contracts/reviews.ts';
import { answerRequests, type Answer } from '#web/testing/answer-requests.ts';
import { chooseFile, samplePicture } from '#web/testing/files.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { sampleCarried, sampleFlow, sampleProject, sampleUpload, noSkips } from '#web/testing/samples.ts';
import { FlowDialog } from './flow-dialog.tsx';

const review: Review = {
  total: 1284,
  will_receive: 1284,
  is_estimate: false,
  warnings: [],
  skipped: { ...noSkips, invalid_number: 0, opted_out: 0 },
  duplicates: 0,
  capped_waiting: 0,
  placeholders: [],
  samples: [{ profile_id: 5, name: 'Ada', phone: '46701740605', message: '', template: null }],
  media: sampleCarried({ id: 'media_1', type: 'image', mime_type: 'image/png', file_name: 'bag.png' }),
  template: null,
  languages: [],
  cost: null,
  forecast: null,
};

async function open(flow: Flow | undefined, upload: () => Answer | Promise<Answer>): Promise<Request[]> {
  const picture = await samplePicture();
  const requests = answerRequests({
    'GET /api/profile-fields': () => ({ body: { data: [] } }),
    'GET /api/profile-fields/values': () => ({ body: { data: [], is_complete: true } }),
    'POST /api/flows/preview-count': () => ({ body: { count: 8, skipped: 0, warning: null } }),
    'POST /api/flows/preview': () => ({ body: review }),
    'POST /api/flows': () => ({ status: 201, body: sampleFlow() }),
    'PUT /api/flows/5': () => ({ body: sampleFlow() }),
    'POST /api/media': upload,
    'GET /api/media/media_1': () => ({ body: picture }),
    'GET /api/media/media_1/thumbnail': () => ({ body: picture }),
  });
  render(inRouter(<Example flow={flow} />).page);
  await expect.element(page.getByRole('dialog', { name: /Flow/ })).toBeVisible();
  return requests;
}

function Example({ flow }: { flow: Flow | undefined }) {
  const [isOpen, setOpen] = useState(true);
  const projects = [sampleProject()];
  return isOpen && <FlowDialog {...(flow && { flow })} projects={projects} onClose={() => setOpen(false)} />;
}

const file = page.getByRole('group', { name: 'Attached file' });
const bubble = page.getByRole('region', { name: 'Message Preview, scrolling' });
const create = page.getByRole('button', { name: 'Create Flow' });
const save = page.getByRole('button', { name: 'Save Changes' });

const bodyOf = (requests: readonly Request[], method: string, path: string): Promise<unknown> | undefined =>
  requests.findLast((request) => request.method === method && new URL(request.url).pathname === path)?.json();

beforeEach(() => page.viewport(1920, 1200));

test('a picture is waited for, shown in the sample and in the review, and goes without a text', async () => {
  const upload = Promise.withResolvers<Answer>();
  const requests = await open(undefined, () => upload.promise);
  await page.getByRole('textbox', { name: 'Name' }).fill('Trial ending');
  await chooseFile(await samplePicture());
  await expect.element(page.getByText('Wait until the file is uploaded.')).toBeVisible();
  await expect.element(create).toBeDisabled();
  await expect.element(bubble.getByRole('img', { name: 'bag.png' })).toBeVisible();
  upload.resolve({ status: 201, body: sampleUpload() });
  await expect.element(file.getByText('Picture · 1.9 MB')).toBeVisible();
  await create.click();
  const question = page.getByRole('dialog', { name: 'Review “Trial ending”' });
  await expect.element(question.getByRole('img', { name: 'bag.png' })).toBeVisible();
  expect(await bodyOf(requests, 'POST', '/api/flows/preview')).toMatchObject({ media: { id: 'media_1' } });
  await question.getByRole('button', { name: 'Activate for 1,284' }).click();
  await expect.element(page.getByText('Flow created')).toBeVisible();
  const action = { projectId: 3, message: '', media: { id: 'media_1' } };
  expect(await bodyOf(requests, 'POST', '/api/flows')).toMatchObject({ action });
});

const stored = sampleFlow();
const withFile = { ...stored, action: { ...stored.action, media: sampleCarried() } };
const never = () => ({ status: 500, body: null });

test('a stored file stays where nothing is said of it', async () => {
  const requests = await open(withFile, never);
  await expect.element(file).toHaveTextContent('Offer.pdfDocument · 82.0 kB');
  await expect.element(bubble).toHaveTextContent('Offer.pdf');
  await save.click();
  await expect.element(page.getByText('Flow updated')).toBeVisible();
  expect(await bodyOf(requests, 'PUT', '/api/flows/5')).not.toHaveProperty('action.media');
});

test('a stored file is taken off, and a flow with neither file nor text is not saved', async () => {
  const requests = await open(withFile, never);
  await file.getByRole('button', { name: 'Remove Offer.pdf' }).click();
  const message = page.getByRole('textbox', { name: 'Message Template' });
  await message.fill('');
  await save.click();
  await expect.element(page.getByText('Please fill: name, project, message')).toBeVisible();
  await message.fill('Hi');
  await save.click();
  await expect.element(page.getByText('Flow updated')).toBeVisible();
  expect(await bodyOf(requests, 'PUT', '/api/flows/5')).toMatchObject({ action: { message: 'Hi', media: null } });
});
