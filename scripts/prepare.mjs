/**
 * Runs before `npm start`: installs the packages and builds the web app, each only when what is there does not fit.
 * `--install-only` leaves the web app alone. In plain JavaScript, as on a fresh clone an older Node runs it.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const webSources = [
  'web',
  'contracts',
  'sdk',
  'scripts/web-build',
  'scripts/sdk-build',
  'vite.config.ts',
  'package.json',
  'package-lock.json',
];
const webDigestFile = join(root, 'dist', 'web.sha256');

function readPackages(file) {
  const path = join(root, file);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : undefined;
}

/** npm writes what it installed to a lock file of its own. */
function isInstalled() {
  const wanted = readPackages('package-lock.json');
  const installed = readPackages('node_modules/.package-lock.json');
  if (!wanted || !installed) return false;
  return Object.entries(wanted).every(
    ([path, { version, optional }]) => path === '' || optional || installed[path]?.version === version,
  );
}

function filesOf(path) {
  const entries = readdirSync(join(root, path), { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const inside = `${path}/${entry.name}`;
    if (entry.isDirectory()) return filesOf(inside);
    return /\.test\.tsx?$/.test(inside) ? [] : [inside];
  });
}

function digestWebSources() {
  const digest = createHash('sha256');
  for (const source of webSources) {
    for (const file of source.includes('.') ? [source] : filesOf(source)) {
      digest
        .update(`${file}\0`)
        .update(readFileSync(join(root, file)))
        .update('\0');
    }
  }
  return digest.digest('hex');
}

function isBuilt(digest) {
  return (
    existsSync(join(root, 'dist', 'web', 'index.html')) &&
    existsSync(webDigestFile) &&
    readFileSync(webDigestFile, 'utf8') === digest
  );
}

/** A signal to this process ends the program, too; then so does this process. */
function run(command, args, env = {}) {
  return new Promise((resolve, reject) => {
    const bin = join(root, 'node_modules', '.bin');
    const path = `${bin}${delimiter}${process.env.PATH}`;
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, PATH: path, ...env } });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      process.once(signal, () => {
        child.kill(signal);
        process.exit(1);
      });
    }
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${args.join(' ')} failed`))));
  });
}

async function install() {
  console.log('Installing the packages…');
  const npm = process.env.npm_execpath;
  // Without this flag NODE_ENV=production, or a setting of the user's, would leave the build tools out.
  const args = ['ci', '--include=dev'];
  await (npm ? run(process.execPath, [npm, ...args]) : run('npm', args));
}

async function build(digest) {
  console.log('Building the web app…');
  rmSync(webDigestFile, { force: true });
  await run('node', [join(root, 'node_modules', 'vite', 'bin', 'vite.js'), 'build', '--logLevel', 'warn'], {
    NODE_ENV: 'production',
  });
  mkdirSync(join(root, 'dist'), { recursive: true });
  writeFileSync(webDigestFile, digest);
}

try {
  if (!isInstalled()) await install();
  if (!process.argv.includes('--install-only')) {
    const digest = digestWebSources();
    if (!isBuilt(digest)) await build(digest);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
