import { execFile, spawn } from 'node:child_process';
import type { ExecFileException } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { updateProjectWebhook } from '#contracts/projects.ts';
import { sendTestEvent } from '#contracts/webhooks.ts';
import { packPackage } from '../../scripts/sdk-build/pack-package.ts';
import { packageFile } from '../../scripts/web-build/sdk/build-sdk.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { freePort } from '#tests/support/free-port.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

type Example = { words: string; code: string };
const sources = ['sdk/README.md', 'web/docs/guides/14-libraries.md'];
const texts = await Promise.all(sources.map((file) => readFile(join(root, file), 'utf8')));
const examples = texts.flatMap((text) =>
  Array.from(text.matchAll(/^```ts ([^\n]+)\n([\s\S]*?)^```$/gm), ([, words = '', code = '']): Example => ({
    words,
    code,
  })),
);

let app: TestApplication;
let shop: Owner;
/** A folder that has the package, and nothing of this project's. */
let folder: string;
/** The directory that the product serves beside its API: the package, as a build has it. */
let web: string;
let packageUrl = '';

type Owner = { customer: Customer; project: Awaited<ReturnType<typeof makeProject>>; env: Record<string, string> };

async function makeOwner(): Promise<Owner> {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  await connectSandboxPhone(customer, project.id);
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    DOVEPOST_URL: app.url,
    DOVEPOST_AUTH_KEY: project.auth_key,
    DOVEPOST_API_KEY: customer.apiKey,
  };
  return { customer, project, env };
}

const filled = (code: string) =>
  code
    .replaceAll('https://dovepost.example', app.url)
    .replaceAll('YOUR_AUTH_KEY', shop.project.auth_key)
    .replaceAll('YOUR_API_KEY', shop.customer.apiKey)
    .replaceAll('PROJECT_ID', String(shop.project.id));

/** Options that are common in customers' projects, and no more. */
const compilerOptions = {
  target: 'ES2022',
  module: 'NodeNext',
  strict: true,
  outDir: 'out',
  types: ['node'],
};

/** A field, an endpoint, a type of event and a property that there are not. */
const wrong = `import { createDovepost, verifyWebhook } from 'dovepost';

const dovepost = createDovepost({ baseUrl: '', authKey: '' });
await dovepost.messages.send({ to: '1', text: 'Hi' });
await dovepost.request('GET /api/nothing');
const event = await verifyWebhook({ body: '', headers: {}, secret: '' });
if (event.type === 'message.red') console.log((await dovepost.messages.get(1)).nothing);
`;
let compiled = '';

/** The versions of `node` along the shell's PATH, the oldest first, as far as the package supports them. */
async function findNodes(): Promise<{ node: string; version: string }[]> {
  const nodes = (process.env['PATH'] ?? '').split(delimiter).map((place) => join(place, 'node'));
  const found = await Promise.all(
    nodes
      .filter((node) => existsSync(node))
      .map(async (node) => ({ node, version: (await run(node, ['-p', 'process.versions.node'])).stdout.trim() })),
  );
  return found
    .filter(({ version }) => Number.parseInt(version) >= 20)
    .toSorted((a, b) => a.version.localeCompare(b.version, 'en', { numeric: true }));
}

beforeAll(async () => {
  [folder, web] = (await Promise.all(
    ['package', 'web'].map((name) => mkdtemp(join(tmpdir(), `dovepost-${name}-`))),
  )) as [string, string];
  await Promise.all(['assets', dirname(packageFile)].map((place) => mkdir(join(web, place), { recursive: true })));
  await writeFile(join(web, 'index.html'), '<!doctype html>');
  await rename(await packPackage(web), join(web, packageFile));
  app = await startTestApplication({ webDirectory: web });
  packageUrl = `${app.url}/${packageFile}`;
  shop = await makeOwner();

  await writeFile(join(folder, 'package.json'), '{ "name": "shop", "private": true, "type": "module" }');
  const install = /^npm install https.*$/m.exec(texts[1] ?? '')?.[0] ?? 'The guide has no command that installs it';
  await run('sh', ['-c', `${filled(install)} --no-audit --no-fund --cache "$PWD/.npm"`], { cwd: folder });

  // Of the compiler's own types for Node: what is installed is the package alone.
  await mkdir(join(folder, 'node_modules/@types'));
  for (const types of ['@types/node', 'undici-types']) {
    const place = join('node_modules', types);
    await cp(join(root, place), join(folder, place), { recursive: true });
  }
  await Promise.all(examples.map(({ code }, index) => writeFile(join(folder, `example-${index}.ts`), filled(code))));
  await cp(join(import.meta.dirname, 'programs/trial.ts.txt'), join(folder, 'trial.ts'));
  await writeFile(join(folder, 'wrong.ts'), wrong);
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  const compiler = join(root, 'node_modules/@typescript/native/bin/tsc');
  const failed = await run(process.execPath, [compiler, '-p', '.'], { cwd: folder }).catch(
    (error: ExecFileException) => error,
  );
  compiled = failed.stdout ?? '';
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await Promise.all([folder, web].map((place) => rm(place, { recursive: true })));
});

describe('the package, as npm installs it', () => {
  test('brings no other package, and its types need nothing of this project', async () => {
    const installed = JSON.parse(await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8')) as {
      packages: object;
    };
    expect(Object.keys(installed.packages)).toEqual(['node_modules/dovepost']);
    const place = join(folder, 'node_modules/dovepost');
    const files = await readdir(place, { recursive: true });
    expect(files.filter((file) => /test|\.map$/.test(file))).toEqual([]);
    for (const file of files.filter((name) => /\.(js|ts)$/.test(name))) {
      const imported = (await readFile(join(place, file), 'utf8')).matchAll(
        /^\s*(?:import|export) .*from ["']([^"']+)["']/gm,
      );
      const foreign = Array.from(imported, ([, name = '']) => name).filter((name) => !/^(node:|\.)/.test(name));
      expect(foreign, file).toEqual([]);
    }
  });

  test('the examples and the trial compile, libraries checked; what is wrong does not', () => {
    const faults = Array.from(compiled.matchAll(/^(\S+)\((\d+),.*$/gm), ([, file, line]) => `${file}:${line}`);
    expect(faults, compiled).toEqual(['wrong.ts:4', 'wrong.ts:5', 'wrong.ts:7', 'wrong.ts:7']);
  });

  test.each(examples.flatMap(({ words }, index) => (words.startsWith('run') ? [[index, words] as const] : [])))(
    'example %i runs: %s',
    async (index, words) => {
      const { stdout } = await run(process.execPath, [join(folder, `out/example-${index}.js`)], { cwd: folder });
      expect(stdout).toMatch(new RegExp(/expect=(\S+)/.exec(words)?.[1] ?? 'nothing is expected'));
    },
  );

  test('a receiver takes what is signed, and nothing else', async () => {
    const index = examples.findIndex(({ words }) => words.startsWith('receiver'));
    const { customer, project } = shop;
    const port = await freePort();
    const receiver = spawn(process.execPath, [join(folder, `out/example-${index}.js`)], {
      env: { PORT: String(port), WEBHOOK_SECRET: project.webhook_secret },
    });
    onTestFinished(() => void receiver.kill());
    let said = '';
    for (const stream of [receiver.stdout, receiver.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
    const url = `http://127.0.0.1:${port}/`;
    const forge = async () =>
      (await fetch(url, { method: 'POST', body: '{"type":"forged"}' }).catch(() => undefined))?.status;
    await expect.poll(forge).toBe(401);
    await customer.api.call(updateProjectWebhook, { params: { projectId: project.id }, body: { webhook_url: url } });
    await customer.api.call(sendTestEvent, { params: { projectId: project.id } });
    await expect.poll(() => said).toContain('test');
    expect(said).not.toContain('forged');
    const off = { params: { projectId: project.id }, body: { webhook_url: null } };
    await customer.api.call(updateProjectWebhook, off);
  });

  test('an integrator’s first day in TypeScript, by the documentation alone', async () => {
    const { env } = await makeOwner();
    const { stdout } = await run(process.execPath, [join(folder, 'out/trial.js')], { cwd: folder, env });
    expect(stdout.trim().split('\n').at(-1)).toBe('done');
  });

  test('npx dovepost sends, and serves an agent', async () => {
    const options = { cwd: folder, env: shop.env };
    const { stdout } = await run('npx', ['dovepost', 'send', '--to', '14155550132', '--message', 'Hi'], options);
    expect(stdout).toMatch(/^(pending|sent|delivered|read) \d+ to 14155550132/);
    const agent = spawn('npx', ['dovepost', 'mcp'], options);
    onTestFinished(() => void agent.stdin.end());
    let said = '';
    agent.stdout.on('data', (chunk) => (said += String(chunk)));
    const info = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const say = (message: object) => agent.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    say({ id: 1, method: 'initialize', params: info });
    await expect.poll(() => said).toContain('"name":"dovepost"');
    say({ method: 'notifications/initialized' });
    say({ id: 2, method: 'tools/call', params: { name: 'search_messages', arguments: { number: '14155550132' } } });
    await expect.poll(() => said).toContain('14155550132');
  });

  test('npx runs it by its address, in a folder that has nothing', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'dovepost-npx-'));
    onTestFinished(() => rm(empty, { recursive: true }));
    const env = { ...shop.env, npm_config_cache: join(empty, '.npm') };
    const words = ['send', '--to', '14155550132', '--message', 'Hi', '--json'];
    const { stdout } = await run('npx', ['-y', packageUrl, ...words], { cwd: empty, env });
    expect(JSON.parse(stdout)).toMatchObject({ to: '14155550132', message: 'Hi' });
  });

  test('bundled for a browser it sends, and needs nothing of Node', async () => {
    const program = `import { createDovepost } from 'dovepost';
      const dovepost = createDovepost(${JSON.stringify({ baseUrl: app.url, authKey: shop.project.auth_key })});
      globalThis.sent = dovepost.messages.send({ to: '14155550132', message: 'From a page' });`;
    await writeFile(join(folder, 'page.js'), program);
    const bundled = await build({
      root: folder,
      configFile: false,
      logLevel: 'silent',
      build: { write: false, rolldownOptions: { input: join(folder, 'page.js'), output: { format: 'iife' } } },
    });
    const { code } = ('output' in bundled ? bundled.output[0] : undefined) ?? { code: 'nothing was bundled' };
    expect(code).not.toMatch(/node:|__vite-browser-external|require\(/);
    // Globals that browsers have as well, and nothing else.
    const { fetch, Headers, Request, Response, Blob, URL, URLSearchParams, AbortSignal, AbortController } = globalThis;
    const { crypto, TextEncoder, TextDecoder, setTimeout, clearTimeout, atob, btoa } = globalThis;
    const own = { fetch, Headers, Request, Response, Blob, URL, URLSearchParams, AbortSignal, AbortController };
    const page: object = { ...own, crypto, TextEncoder, TextDecoder, setTimeout, clearTimeout, atob, btoa };
    runInNewContext(code, page);
    await expect((page as { sent?: Promise<object> }).sent).resolves.toMatchObject({ message: 'From a page' });
  });

  test('the oldest Node that is here runs the trial and the command line', async (context) => {
    const { node, version } = (await findNodes())[0] ?? { node: '', version: '24' };
    context.skip(version >= '24', 'there is no Node here but the one that runs the product');
    const { env } = await makeOwner();
    const trial = await run(node, [join(folder, 'out/trial.js')], { cwd: folder, env });
    expect(trial.stdout.trim().split('\n').at(-1)).toBe('done');
    const cli = join(folder, 'node_modules/dovepost/cli.js');
    const { stdout } = await run(node, [cli, 'send', '--to', '14155550132', '--message', 'Hi'], { cwd: folder, env });
    expect(stdout).toMatch(/^(pending|sent|delivered|read) \d+ to 14155550132/);
  });
});
