import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settingNames } from '#server/config.ts';
import { startProduct } from './support/product.ts';
import type { Product } from './support/product.ts';

const run = promisify(execFile);
const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8');

let product: Product;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'dovepost-readme-'));
  product = await startProduct({ env: { DATA_DIR: dataDir } });
});

afterAll(async () => {
  await product.stop();
  await rm(dataDir, { recursive: true, force: true });
});

test('the first message, as pasted', async () => {
  const commands = /<!-- journey:start -->\s*```bash\n([\s\S]+?)```\s*<!-- journey:end -->/.exec(readme)?.[1];
  if (commands === undefined) throw new Error('The README has lost its journey');
  const script = commands.replace('http://localhost:3000', product.url);
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script]);
  expect(stdout).toContain('"status":"approved"');
  expect(stdout).toContain('{"status":"connected"');
  expect(stdout).toMatch(/"message":"Hello from Dovepost".*"status":"(sent|delivered|read)"/);
  expect(stdout.trim().split('\n').at(-1)).toBe('read');
});

test('names no setting that does not exist', () => {
  const named = [...readme.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell]) => cell?.match(/[A-Z][A-Z\d_]+/g) ?? []);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !settingNames.includes(name))).toEqual([]);
});
