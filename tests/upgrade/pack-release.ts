/** `npm run upgrade:keep COMMIT` keeps the server of a release for the upgrade test. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

const [commit] = process.argv.slice(2);
if (commit === undefined || !/^[0-9a-f]{7}$/.test(commit)) throw new Error('Name a commit by seven digits');

const parts = ['server', 'contracts', 'sdk', 'package.json'];
const directory = mkdtempSync(join(tmpdir(), 'dovepost-pack-'));
try {
  const sources = execFileSync('git', ['archive', commit, ...parts], { maxBuffer: 2 ** 28 });
  execFileSync('tar', ['-x', '-C', directory, '--exclude', '*.test.ts'], { input: sources });
  const archive = execFileSync('tar', ['-c', '-C', directory, '.'], { maxBuffer: 2 ** 28 });
  const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: archive.length };
  writeFileSync(join(import.meta.dirname, `releases/${commit}.tar.br`), brotliCompressSync(archive, { params }));
} finally {
  rmSync(directory, { recursive: true });
}
