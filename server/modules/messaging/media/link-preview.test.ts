import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { findLinkPreview } from './link-preview.ts';

let app: TestApplication;
let base = '';
let asked: string[] = [];

const page = (head: string) => `<!doctype html><html><head>${head}</head><body><title>Not this</title></body></html>`;
const html = { 'content-type': 'text/html; charset=utf-8' };
const pages: Record<string, (response: ServerResponse) => unknown> = {
  '/sale': (response) =>
    response
      .writeHead(200, html)
      .end(
        page(
          '<title>Shop</title><meta property="og:title" content="Sale &amp; more"><meta name="description" content=" Half\n of it"><meta property="og:image" content="/cat.jpg">',
        ),
      ),
  '/plain': (response) => response.writeHead(200, html).end(page('<title>Just a title</title>')),
  '/nothing': (response) => response.writeHead(200, html).end(page('')),
  '/file': (response) => response.writeHead(200, { 'content-type': 'application/pdf' }).end('<title>No</title>'),
  '/endless': (response) => {
    response.writeHead(200, html);
    const more = () => response.write('<!-- x -->'.repeat(5_000), () => response.destroyed || setImmediate(more));
    more();
  },
  '/bomb': (response) =>
    response.writeHead(200, html).end(page('<title>Large</title><meta property="og:image" content="/endless">')),
};
const server = createServer((request, response) => {
  asked.push(request.url ?? '');
  const answer = pages[request.url?.split('?')[0] ?? ''];
  if (answer) answer(response);
  else if (request.url === '/cat.jpg')
    void sharp({ create: { width: 300, height: 300, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer()
      .then((bytes) => response.end(bytes));
  else response.writeHead(404).end();
});

beforeAll(async () => {
  app = await startTestApplication();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await app[Symbol.asyncDispose]();
});

const preview = (path: string, accountId = 1) =>
  findLinkPreview(app.ctx, { accountId, text: `Look: ${base}${path}, or not` });

test('a preview has the title, the words and a small picture of the page', async () => {
  const found = await preview('/sale');
  expect(found).toMatchObject({ url: `${base}/sale`, title: 'Sale & more', description: 'Half of it' });
  expect((await sharp(found?.thumbnail ?? new Uint8Array()).metadata()).width).toBe(100);
  expect(await preview('/plain')).toEqual({
    url: `${base}/plain`,
    title: 'Just a title',
    description: null,
    thumbnail: null,
  });
});

test('a page is asked once, however many messages of an account name it', async () => {
  asked = [];
  await Promise.all([preview('/plain?a', 2), preview('/plain?a', 2), preview('/plain?a', 3)]);
  await preview('/plain?a', 2);
  expect(asked).toHaveLength(2);
});

test.each(['/nothing', '/file', '/none', '/endless'])('%s has no preview', async (path) => {
  expect(await preview(path)).toBeUndefined();
});

test('a picture that is too large is left out', async () => {
  expect(await preview('/bomb')).toMatchObject({ title: 'Large', thumbnail: null });
});

test('a text without a link asks nobody, and no page is asked where webhooks may not go', async () => {
  asked = [];
  expect(await findLinkPreview(app.ctx, { accountId: 1, text: 'shop.example' })).toBeUndefined();
  const guarded = { ...app.ctx, egress: { ...app.ctx.egress, isPrivateAllowed: false } };
  expect(await findLinkPreview(guarded, { accountId: 9, text: `${base}/sale` })).toBeUndefined();
  expect(asked).toEqual([]);
});
