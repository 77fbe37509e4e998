import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '#server/platform/logger.ts';
import { createHttpServer } from './http-server.ts';
import { serveWebApp } from './web-app.ts';

const script = 'console.log("Dovepost");'.repeat(100);
const pageNaming = (asset: string) =>
  `<!doctype html><script>run("${asset}");</script>` +
  `<script type="application/json">{}</script><script src="/assets/${asset}"></script>`;
const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const compress = { br: brotliCompressSync, gz: gzipSync };

async function writeBuild(directory: string, asset: string): Promise<void> {
  await rm(join(directory, 'assets'), { recursive: true, force: true });
  await mkdir(join(directory, 'assets'), { recursive: true });
  await writeFile(join(directory, 'theme.js'), 'theme();');
  await mkdir(join(directory, 'docs/reference'), { recursive: true });
  for (const page of ['index', 'not-found', 'errors', 'reference/messages']) {
    await writeFile(join(directory, `docs/${page}.html`), `<script>docs();</script>${page}`);
  }
  for (const [file, content] of [
    ['index.html', pageNaming(asset)],
    [`assets/${asset}`, script],
  ] as const) {
    await writeFile(join(directory, file), content);
    for (const [ending, compressed] of Object.entries(compress)) {
      await writeFile(join(directory, `${file}.${ending}`), compressed(content));
    }
  }
}

let directory = '';
let app: Awaited<ReturnType<typeof createHttpServer>>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'dovepost-web-'));
  await writeBuild(directory, 'app-1.js');
  app = await createHttpServer({ logger: createLogger('silent'), isSecure: false, trustedProxies: [] });
  await serveWebApp(app, directory);
  return async () => {
    await app.close();
    await rm(directory, { recursive: true });
  };
});

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ method: 'GET', url, headers });

test.each(['/', '/projects/7', '/index.html', '/login?next=1'])('%s is the page, asked for each time', async (url) => {
  const response = await get(url);
  expect(response.statusCode).toBe(200);
  expect(response.headers).toMatchObject({ 'cache-control': 'no-cache', 'content-type': 'text/html; charset=utf-8' });
  expect(response.body).toBe(pageNaming('app-1.js'));
});

test.each(['/', '/index.html', '/login'])('%s may run the scripts written into it, and no others', async (url) => {
  const scripts = /script-src ([^;]*)/.exec(String((await get(url)).headers['content-security-policy']))?.[1];
  expect(scripts).toBe(`'self' ${hashOf('run("app-1.js");')}`);
  const elsewhere = await get('/assets/app-1.js');
  expect(elsewhere.headers['content-security-policy']).toContain("script-src 'self';");
});

test.each(['/', '/assets/app-1.js'])("%s has no other base, and stands in nobody else's frame", async (url) => {
  const policy = String((await get(url)).headers['content-security-policy']).split(/; ?/);
  expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]));
});

describe.each(['/assets/app-1.js', '/', '/projects/7'])('%s', (url) => {
  test.each([
    ['br', 'br'],
    ['gzip, deflate', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0, gzip;q=0', undefined],
    ['identity', undefined],
  ])('comes as the browser takes it: %s', async (accepted, encoding) => {
    const response = await get(url, { 'accept-encoding': accepted });
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-encoding']).toBe(encoding);
    expect(response.headers['content-type']).toMatch(/^(?:text\/html|(?:text|application)\/javascript)/);
    expect(response.headers.vary).toMatch(/accept-encoding/i);
    const { headers, body, statusCode } = await app.inject({
      method: 'HEAD',
      url,
      headers: { 'accept-encoding': accepted },
    });
    expect({ statusCode, body }).toEqual({ statusCode: 200, body: '' });
    expect(headers['content-length']).toBe(response.headers['content-length']);
  });
});

test('hashed files are kept for ever, and sent in parts to who asks for parts', async () => {
  const response = await get('/assets/app-1.js', { range: 'bytes=0-7' });
  expect(response.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(response.statusCode).toBe(206);
  expect(response.body).toBe(script.slice(0, 8));
});

test.each(['/theme.js', '/', '/login'])(
  '%s keeps its name: it is asked for each time, and not sent again when it has not changed',
  async (url) => {
    for (const accepted of ['br', 'identity']) {
      const first = await get(url, { 'accept-encoding': accepted });
      expect(first.headers['cache-control']).toBe('no-cache');
      const headers = { 'accept-encoding': accepted, 'if-none-match': String(first.headers.etag) };
      expect((await get(url, headers)).statusCode).toBe(304);
    }
  },
);

test.each([
  '/assets/gone.js',
  '/assets/',
  '/assets/..%2findex.html',
  '/api/nothing',
  '/api',
  '/apple-touch-icon.png',
  '/manifest.webmanifest?v=1',
])('%s is not the page', async (url) => {
  const response = await get(url);
  expect(response.statusCode).toBeGreaterThanOrEqual(400);
  expect(response.statusCode).toBeLessThan(500);
  expect(response.headers['content-type']).toMatch(/json/);
  expect(response.headers['cache-control'] ?? '').not.toContain('immutable');
});

test('another build is served without a restart, the page as it was while one is under way', async () => {
  await writeBuild(directory, 'app-2.js');
  expect((await get('/')).body).toBe(pageNaming('app-2.js'));
  expect((await get('/assets/app-2.js')).statusCode).toBe(200);
  expect((await get('/assets/app-1.js')).statusCode).toBe(404);
  await rm(directory, { recursive: true });
  for (const url of ['/', '/index.html']) {
    const page = await get(url, { 'accept-encoding': 'br' });
    expect(page.body).toBe(pageNaming('app-2.js'));
    expect(page.headers['cache-control']).toBe('no-cache');
    expect(page.headers['content-security-policy']).toContain(hashOf('run("app-2.js");'));
  }
  await writeBuild(directory, 'app-3.js');
  expect((await get('/')).body).toBe(pageNaming('app-3.js'));
});

test.each([
  ['/docs', 200, 'index'],
  ['/docs/', 200, 'index'],
  ['/docs/errors', 200, 'errors'],
  ['/docs/reference/messages?x=1', 200, 'reference/messages'],
  ['/docs/nothing', 404, 'not-found'],
  ['/docs/..%2findex', 404, 'not-found'],
])('%s is a page of the documentation: %i', async (url, status, page) => {
  const response = await get(url);
  expect(response.statusCode).toBe(status);
  expect(response.body).toBe(`<script>docs();</script>${page}`);
  expect(response.headers).toMatchObject({ 'cache-control': 'no-cache', 'content-type': 'text/html; charset=utf-8' });
  expect(response.headers['content-security-policy']).toContain(hashOf('docs();'));
});
