import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { UploadedMedia } from '#contracts/media.ts';
import { getMessage, sendMessage } from '#contracts/messages.ts';
import type { Problem } from '#contracts/problem.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUp, signUpSubscriber } from '#tests/support/customer.ts';
import { joinAccount } from '#tests/support/join-account.ts';
import { removeExpiredMedia } from './retain.ts';
import { removeAbandoned } from './storing/spool.ts';

let app: TestApplication;
let aheadMs = 0;

beforeAll(async () => {
  const clock = { now: () => new Date(Date.now() + aheadMs) };
  app = await startTestApplication({ clock, env: { MEDIA_QUOTA_MIB: '8' } });
});
afterAll(() => app[Symbol.asyncDispose]());

const jpeg = (width = 40, height = 20) =>
  sharp({ create: { width, height, channels: 3, background: '#c33' } })
    .jpeg()
    .toBuffer();
const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n');
const text = Buffer.from('<script>alert(1)</script>');
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function owner() {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  await connectSandboxPhone(customer, project.id);
  const headers = { 'x-auth-key': project.auth_key };
  const api = createApiClient(app.url, headers);
  const post = async (bytes: Uint8Array | FormData, query = '', more: Record<string, string> = {}) => {
    const body = bytes instanceof FormData ? bytes : new Uint8Array(bytes);
    const response = await fetch(`${app.url}/api/media?${query}`, {
      method: 'POST',
      headers: { ...headers, ...more },
      body,
    });
    return { status: response.status, body: (await response.json()) as UploadedMedia & Problem };
  };
  return {
    customer,
    project,
    api,
    headers,
    post,
    upload: async (bytes: Uint8Array | FormData, query = '') => {
      const { status, body } = await post(bytes, query);
      expect([status, body]).toMatchObject([201, {}]);
      return body;
    },
    get: (id: string, more: Record<string, string> = {}) =>
      fetch(`${app.url}/api/media/${id}`, { headers: { ...headers, ...more } }),
    send: (body: object) =>
      api.call(sendMessage, { headers: {}, body: { to: '14155550123', ...body } }).then(({ body: sent }) => sent),
    refuse: async (body: object) => {
      const { status, body: problem } = await api.refuse(sendMessage, {
        headers: {},
        body: { to: '14155550123', ...body },
      });
      return [status, problem.errors];
    },
  };
}

describe('a small picture', () => {
  test('is a JPEG of at most 100 pixels, of the account alone, and of pictures alone', async () => {
    const { upload, get } = await owner();
    const { id } = await upload(await jpeg(400, 200));
    const response = await get(`${id}/thumbnail`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    const { format, width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
    expect({ format, width, height }).toEqual({ format: 'jpeg', width: 100, height: 50 });
    const stranger = await owner();
    expect((await stranger.get(`${id}/thumbnail`)).status).toBe(404);
    const document = await upload(pdf, 'file_name=plan.pdf');
    expect((await get(`${document.id}/thumbnail`)).status).toBe(404);
  });
});

describe('an upload', () => {
  test('comes back byte for byte, as bare bytes and as a form', async () => {
    const { upload, get } = await owner();
    const bare = await upload(pdf, 'file_name=..%2F..%2Fa%20%22b%22.pdf');
    expect(bare).toMatchObject({
      mime_type: 'application/pdf',
      file_name: 'a "b".pdf',
      size: pdf.length,
      sha256: sha256(pdf),
    });
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(pdf)]), 'Rechnung Müller.pdf');
    const sent = await upload(form);
    expect(sent.file_name).toBe('Rechnung Müller.pdf');
    const response = await get(sent.id);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(pdf);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': "attachment; filename*=UTF-8''Rechnung%20M%C3%BCller.pdf",
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox') as string,
      'content-length': String(pdf.length),
    });
  });

  test('a page of HTML is a text that is saved, and a picture is shown', async () => {
    const { upload, get } = await owner();
    const page = await get((await upload(text, 'file_name=a.html')).id);
    expect([page.headers.get('content-type'), page.headers.get('content-disposition')]).toEqual([
      'text/plain; charset=utf-8',
      "attachment; filename*=UTF-8''a.html",
    ]);
    const picture = await get((await upload(await jpeg())).id);
    expect(picture.headers.get('content-disposition')).toBe('inline');
    await Promise.all([page.body?.cancel(), picture.body?.cancel()]);
  });

  test.for<[string, string | undefined, number, string, string | null]>([
    ['the first bytes', 'bytes=0-3', 206, '%PDF', 'bytes 0-3/'],
    ['from the middle', 'bytes=5-7', 206, '1.7', 'bytes 5-7/'],
    ['the last bytes', 'bytes=-6', 206, '%%EOF\n', null],
    ['beyond the end', 'bytes=5000-', 416, '', 'bytes */'],
    ['another unit', 'lines=0-3', 200, '%PDF', null],
  ])('a range: %s', async ([, range, status, beginning, contentRange]) => {
    const { upload, get } = await shared;
    const response = await get((await upload(pdf)).id, range ? { range } : {});
    expect(response.status).toBe(status);
    expect(response.headers.get('content-range') ?? '').toContain(contentRange ?? '');
    const body = await response.text();
    if (status !== 416) expect(body.startsWith(beginning)).toBe(true);
    if (status === 206) expect(body).toBe(beginning);
  });

  test('a range is of the file that the caller has a part of; of another the whole comes', async () => {
    const { upload, get } = await shared;
    const { id, sha256: hash } = await upload(pdf);
    const ask = async (etag: string) => {
      const response = await get(id, { range: 'bytes=0-3', 'if-range': etag });
      return [response.status, (await response.text()).length];
    };
    expect(await ask(`"${hash}"`)).toEqual([206, 4]);
    expect(await ask('"another"')).toEqual([200, pdf.length]);
  });

  test.for<[string, (etag: string) => string, number]>([
    ['the file itself', (etag) => etag, 304],
    ['one of several, weak', (etag) => `"another", W/${etag}`, 304],
    ['any', () => '*', 304],
    ['another', () => '"another"', 200],
  ])('a file comes unless the caller has it: it has %s', async ([, heldOf, status]) => {
    const { upload, get } = await shared;
    const { id } = await upload(await jpeg());
    for (const path of [id, `${id}/thumbnail`]) {
      const first = await get(path);
      const etag = first.headers.get('etag') ?? '';
      await first.body?.cancel();
      const again = await get(path, { 'if-none-match': heldOf(etag) });
      expect([again.status, again.headers.get('etag')]).toEqual([status, etag]);
      expect((await again.arrayBuffer()).byteLength > 0).toBe(status === 200);
    }
  });

  test('a picture is turned upright and loses where it was taken, unless its sender says otherwise', async () => {
    const { upload, get } = await owner();
    const turned = await sharp(await jpeg(40, 20))
      .withExif({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    expect((await sharp(turned).metadata()).exif).toBeDefined();
    const cleaned = await upload(turned);
    const stored = await sharp(Buffer.from(await (await get(cleaned.id)).arrayBuffer())).metadata();
    expect([stored.width, stored.height, stored.exif, stored.orientation]).toEqual([20, 40, undefined, undefined]);
    const kept = await upload(turned, 'keep_metadata=true');
    expect(kept.sha256).toBe(sha256(turned));
    const plain = await jpeg();
    expect((await upload(plain)).sha256).toBe(sha256(plain));
  });

  test.for<[string, () => Promise<Buffer> | Buffer, string]>([
    ['nothing', () => Buffer.alloc(0), 'empty'],
    ['random bytes', () => Buffer.concat([Buffer.from([0, 1, 2, 255]), randomBytes(2000)]), 'cannot be sent'],
    ['a program', () => Buffer.concat([Buffer.from('7f454c460201010000', 'hex'), Buffer.alloc(100)]), 'cannot be sent'],
    ['half a picture', async () => (await jpeg(800, 800)).subarray(0, 900), 'broken'],
  ])('%s is refused with a sentence', async ([, bytes, words]) => {
    const { post } = await shared;
    const { status, body } = await post(await bytes());
    expect([status, body.code, body.message]).toEqual([422, 'media_not_supported', expect.stringContaining(words)]);
  });

  test.for([
    ['without a boundary', 'multipart/form-data', '{}'],
    [
      'that breaks off',
      'multipart/form-data; boundary=x',
      '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
    ],
    [
      'without a file',
      'multipart/form-data; boundary=x',
      '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n--x--\r\n',
    ],
    [
      'with two files',
      'multipart/form-data; boundary=x',
      `${['a', 'b'].map((name) => `--x\r\ncontent-disposition: form-data; name="${name}"; filename="${name}.txt"\r\n\r\nabc\r\n`).join('')}--x--\r\n`,
    ],
  ] as const)('a form %s is refused', async ([, type, form]) => {
    const { post } = await shared;
    const { status, body } = await post(Buffer.from(form), '', { 'content-type': type });
    expect([status, body.code]).toEqual([422, 'media_not_supported']);
  });

  test('a member who is narrowed sees the files of their projects alone', async () => {
    const one = await owner();
    const { id } = await one.upload(pdf);
    const statusFor = async (projectIds: number[]) => {
      const member = await signUp(app.url);
      await joinAccount(app, one.customer, member, 'developer', projectIds);
      return (await fetch(`${app.url}/api/media/${id}`, { headers: { authorization: member.token } })).status;
    };
    expect(await statusFor([one.project.id])).toBe(200);
    expect(await statusFor([one.project.id + 1])).toBe(404);
  });

  test("another account's file is not there", async () => {
    const [one, other] = await Promise.all([owner(), owner()]);
    const { id } = await one.upload(pdf);
    expect((await other.get(id)).status).toBe(404);
    expect((await fetch(`${app.url}/api/media/${id}`, { headers: { authorization: one.customer.token } })).status).toBe(
      200,
    );
    expect((await fetch(`${app.url}/api/media/${id}`)).status).toBe(401);
    expect(await other.refuse({ type: 'document', media: { id } })).toEqual([
      422,
      [{ path: 'media.id', message: 'There is no such file' }],
    ]);
  });

  test('an account stores up to its quota, also side by side', async () => {
    const { post } = await owner();
    const megabyte = Buffer.concat([pdf, Buffer.alloc(3 * 1024 * 1024, ' ')]);
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(megabyte)));
    const stored = answers.filter(({ status }) => status === 201);
    expect(stored.length).toBeLessThanOrEqual(2);
    expect(answers.filter(({ body }) => body.code === 'storage_quota_reached').length).toBe(5 - stored.length);
  });
});

describe('a message with a file', () => {
  test('carries it, and a document has the name that it is given', async () => {
    const { upload, send, api } = await owner();
    const { id, size } = await upload(pdf, 'file_name=a.pdf');
    const sent = await send({ type: 'document', media: { id }, message: 'Your invoice', file_name: 'Invoice.pdf' });
    const media = {
      id,
      mime_type: 'application/pdf',
      file_name: 'Invoice.pdf',
      size,
      sha256: sha256(pdf),
      state: 'stored',
      has_thumbnail: false,
    };
    expect(sent).toMatchObject({ type: 'document', message: 'Your invoice', media, status: 'sent' });
    const { body } = await api.call(getMessage, { params: { messageId: sent.id } });
    expect(body.media).toEqual(media);
  });

  test.for<[string, string, () => Promise<Buffer> | Buffer, string]>([
    ['a document as a picture', 'image', () => pdf, 'A picture cannot be application/pdf'],
    ['a picture as a video', 'video', () => jpeg(), 'A video cannot be image/jpeg'],
    [
      'a picture of the wrong size as a sticker',
      'sticker',
      () =>
        sharp({ create: { width: 10, height: 10, channels: 3, background: 'red' } })
          .webp()
          .toBuffer(),
      '512 by 512',
    ],
    ['a text as a voice note', 'voice', () => text, 'Ogg with Opus'],
  ])('%s is refused', async ([, type, bytes, words]) => {
    const { upload, refuse } = await shared;
    const { id } = await upload(await bytes());
    expect(await refuse({ type, media: { id } })).toEqual([
      422,
      [{ path: 'media.id', message: expect.stringContaining(words) as string }],
    ]);
  });

  test('a file is fetched from its address, and not from where it must not be', async () => {
    const { send, refuse } = await owner();
    const picture = await jpeg();
    const server = createServer((request, response) => {
      if (request.url === '/moved') response.writeHead(302, { location: '/cat.jpg' }).end();
      else if (request.url === '/cat.jpg') response.end(picture);
      else if (request.url === '/cut')
        response.writeHead(200, { 'content-length': '5000' }).write(picture, () => response.destroy());
      else response.writeHead(404).end();
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const sent = await send({ type: 'image', media: { url: `${base}/moved` } });
    expect(sent).toMatchObject({
      type: 'image',
      media: { sha256: sha256(picture), file_name: 'cat.jpg', state: 'stored' },
    });
    const fault = (words: string) => [422, [{ path: 'media.url', message: expect.stringContaining(words) as string }]];
    expect(await refuse({ type: 'image', media: { url: `${base}/none` } })).toEqual(fault('HTTP 404'));
    expect(await refuse({ type: 'image', media: { url: `${base}/cut` } })).toEqual(fault('broke off'));
    server.close();
    await using guarded = await startTestApplication({ env: { WEBHOOKS_ALLOW_PRIVATE_ADDRESSES: 'false' } });
    const customer = await signUpSubscriber(guarded.url);
    const project = await makeProject(customer);
    const api = createApiClient(guarded.url, { 'x-auth-key': project.auth_key });
    const { body } = await api.refuse(sendMessage, {
      headers: {},
      body: { to: '14155550123', type: 'image', media: { url: `${base}/cat.jpg` } },
    });
    expect(body.errors).toMatchObject([
      { path: 'media.url', message: expect.stringMatching(/not allowed|port/) as string },
    ]);
  });
});

test('files go when their time is over: their bytes, and what messages say of them; one that a message needs stays', async () => {
  const { upload, send, get, api } = await owner();
  const [unused, used] = [await upload(pdf), await upload(pdf)];
  const sent = await send({ type: 'document', media: { id: used.id } });
  aheadMs = 91 * 86_400_000;
  await removeExpiredMedia(app.ctx);
  // The application's own round may be at it just now.
  await expect.poll(async () => (await get(unused.id)).status).toBe(410);
  const gone = await get(unused.id);
  expect(((await gone.json()) as Problem).code).toBe('media_gone');
  const mediaOf = async () => (await api.call(getMessage, { params: { messageId: sent.id } })).body.media;
  await expect.poll(mediaOf).toMatchObject({ id: used.id, state: 'gone' });
  aheadMs = 0;
  await removeAbandoned(app.ctx);
  // A delivery that began before may still be reading its copy.
  await expect.poll(() => readdir(join(app.ctx.config.dataDir, 'media', 'incoming'))).toEqual([]);
});

let shared: ReturnType<typeof owner>;
beforeAll(() => {
  shared = owner();
});
