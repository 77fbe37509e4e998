import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { updateProjectWebhook } from '#contracts/projects.ts';
import { sendTestEvent } from '#contracts/webhooks.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from './support/customer.ts';
import type { Customer } from './support/customer.ts';
import { patience } from '#tests/support/patience.ts';
import { freePort } from './support/free-port.ts';

type Example = { guide: string; language: string; words: string; code: string };

const directory = join(import.meta.dirname, '../web/docs/guides');
const fence = /^```(\w+) ([^\n]+)\n([\s\S]*?)^```$/gm;

const files = (await readdir(directory)).toSorted();
const texts = await Promise.all(files.map((file) => readFile(join(directory, file), 'utf8')));
const root = join(import.meta.dirname, '..');
const examples = texts.flatMap((text, index) =>
  Array.from(text.matchAll(fence), ([, language = '', words = '', code = '']): Example => {
    return { guide: files[index] ?? '', language, words, code };
  }),
);

const interpreters: Readonly<Record<string, { command: string; ending: string }>> = {
  sh: { command: 'bash', ending: 'sh' },
  js: { command: 'node', ending: 'mjs' },
  python: { command: 'python3', ending: 'py' },
  php: { command: 'php', ending: 'php' },
  ruby: { command: 'ruby', ending: 'rb' },
};
const isInstalled = (language: string) =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .some((place) => existsSync(join(place, interpreters[language]?.command ?? 'none')));

let app: TestApplication;
let customer: Customer;
let project: Awaited<ReturnType<typeof makeProject>>;
let phoneId: number;
let scratch: string;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'dovepost-guides-'));
  app = await startTestApplication();
  customer = await signUpSubscriber(app.url);
  project = await makeProject(customer);
  phoneId = (await connectSandboxPhone(customer, project.id)).id;
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await rm(scratch, { recursive: true });
});

const filled = (code: string) =>
  code
    .replaceAll('https://dovepost.example', app.url)
    .replaceAll('YOUR_AUTH_KEY', project.auth_key)
    .replaceAll('YOUR_API_KEY', customer.apiKey)
    .replaceAll('PROJECT_ID', String(project.id))
    .replaceAll('PHONE_ID', String(phoneId))
    .replaceAll('IN_AN_HOUR', new Date(Date.now() + 3_600_000).toISOString());

let saved = 0;

async function save({ language, code }: Example): Promise<[command: string, file: string]> {
  const { command, ending } = interpreters[language] ?? { command: '', ending: '' };
  const file = join(scratch, `example-${(saved += 1)}.${ending}`);
  await writeFile(file, filled(code));
  return [command, file];
}

const named = (kind: string) =>
  examples
    .filter(({ words, language }) => words.startsWith(kind) && isInstalled(language))
    .map((example, index): [string, Example] => [`${example.guide} ${index} (${example.language})`, example]);

/** The lines of all documents that are to be pasted into a terminal. */
async function pastedLines(): Promise<string[]> {
  const places = ['docs', 'deploy', 'sdk', 'web/docs', 'tests'];
  const found = await Promise.all(places.map((place) => readdir(join(root, place), { recursive: true })));
  const paths = found.flatMap((names, index) => names.map((name) => join(places[index] ?? '', name)));
  const documents = ['README.md', 'CONTRIBUTING.md', ...paths.filter((path) => path.endsWith('.md'))];
  const written = await Promise.all(documents.map((path) => readFile(join(root, path), 'utf8')));
  return written
    .flatMap((text) =>
      Array.from(text.matchAll(/^ *```(?:sh|bash)\b[^\n]*\n([\s\S]*?)^ *```$/gm), ([, code = '']) => code),
    )
    .flatMap((code) => code.split('\n'));
}

/** zsh, the shell of macOS, takes a bare `?` or `*` for a pattern of files, and refuses one that matches none. */
test('an address with a question mark stands in quotation marks', async () => {
  const lines = await pastedLines();
  expect(lines.length).toBeGreaterThan(200);
  expect(lines.filter((line) => /\s[^\s'"]*:\/\/[^\s'"]*[?*]/.test(line))).toEqual([]);
});

/**
 * At the prompt of zsh `#` begins no comment: the words after it are arguments, an assignment before it sets nothing, and
 * its `read -p` reads from a coprocess.
 */
test('no line that is pasted has a comment, or asks in a way that bash alone knows', async () => {
  const lines = await pastedLines();
  expect(lines.filter((line) => /(^|\s)#(\s|$)|\bread\b.*\s-p\b/.test(line))).toEqual([]);
});

describe('each example of the guides does what its guide says', () => {
  test.each(named('run'))('%s', async (_name, example) => {
    const [command, file] = await save(example);
    const { stdout } = await promisify(execFile)(command, [file]);
    const expected = /expect="?([^"\s]+)"?/.exec(example.words)?.[1] ?? '';
    expect(stdout).toMatch(new RegExp(expected));
    if (!expected.includes('not_on')) expect(stdout).not.toContain('"request_id"');
  });
});

describe('each receiver takes what is signed, and nothing else', () => {
  test.each(named('receiver'))('%s', async (_name, example) => {
    const [command, file] = await save(example);
    const port = await freePort();
    const args = command === 'php' ? ['-S', `127.0.0.1:${port}`, file] : [file];
    const receiver = spawn(command, args, {
      env: { PATH: process.env['PATH'], PORT: String(port), WEBHOOK_SECRET: project.webhook_secret },
    });
    onTestFinished(() => void receiver.kill());
    let said = '';
    for (const stream of [receiver.stdout, receiver.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
    const url = `http://127.0.0.1:${port}/`;
    const forge = async (headers: Record<string, string>) =>
      (await fetch(url, { method: 'POST', headers, body: '{"type":"forged","data":{}}' })).status;
    await vi.waitFor(async () => expect(await forge({})).toBe(401), { ...patience, interval: 100 });
    const now = String(Math.floor(Date.now() / 1000));
    const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': now, 'webhook-signature': 'v1,Zm9yZ2Vk' };
    expect(await forge(headers)).toBe(401);

    await customer.api.call(updateProjectWebhook, { params: { projectId: project.id }, body: { webhook_url: url } });
    await customer.api.call(sendTestEvent, { params: { projectId: project.id } });
    await vi.waitFor(() => expect(said).toContain('test'), { ...patience, interval: 50 });
    expect(said).not.toContain('forged');
  });
});
