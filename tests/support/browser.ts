import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';

/** The names of Chromium in distributions. */
const names = ['chromium', 'chromium-browser', 'chromium-headless-shell', 'google-chrome', 'google-chrome-stable'];
const aptPackages = ['chromium-headless-shell', 'chromium'];
const cacheFile = fileURLToPath(new URL('../../node_modules/.cache/dovepost/browser.json', import.meta.url));

const isRoot = process.getuid?.() === 0;

/** Chromium's sandbox does not work for root. */
export const browserArgs: readonly string[] = isRoot ? ['--no-sandbox'] : [];

/** The browser that `prepareBrowser` chose; undefined before that. */
export function findPreparedBrowser(): string | undefined {
  try {
    const { path, changedAtMs } = JSON.parse(readFileSync(cacheFile, 'utf8')) as { path: string; changedAtMs: number };
    const wanted = process.env['CHROMIUM_PATH'] || path;
    return wanted === path && statSync(path).mtimeMs === changedAtMs ? path : undefined;
  } catch {
    return undefined;
  }
}

/** A Chromium that has rendered a page: an installed one, else one that is installed now. Throws when none does. */
export async function prepareBrowser(): Promise<string> {
  const prepared = findPreparedBrowser();
  if (prepared) return prepared;
  for (const candidates of [findInstalled, installWithApt, installWithPlaywright]) {
    for (const path of candidates()) {
      if (!(await rendersPage(path))) continue;
      mkdirSync(dirname(cacheFile), { recursive: true });
      writeFileSync(cacheFile, JSON.stringify({ path, changedAtMs: statSync(path).mtimeMs }));
      return path;
    }
  }
  throw new Error('No Chromium that renders a page: install one and name it in CHROMIUM_PATH');
}

function* findInstalled(): Generator<string> {
  const chosen = process.env['CHROMIUM_PATH'];
  if (chosen) {
    yield chosen;
    return;
  }
  const directories = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/usr/local/bin', '/snap/bin'];
  for (const name of names)
    yield* directories
      .map((directory) => join(directory, name))
      .filter(isProgram)
      .slice(0, 1);
  yield* ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome', chromium.executablePath()].filter(isProgram);
}

function* installWithApt(): Generator<string> {
  if (!isRoot || process.env['CHROMIUM_PATH'] || !existsSync('/usr/bin/apt-get')) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args: string[]) => spawnSync('apt-get', ['--quiet', ...args], { stdio: 'inherit', env }).status === 0;
  apt('update');
  for (const name of aptPackages) {
    if (apt('install', '--yes', '--no-install-recommends', name)) yield* findInstalled();
  }
}

function* installWithPlaywright(): Generator<string> {
  if (process.env['CHROMIUM_PATH']) return;
  const require = createRequire(import.meta.url);
  const cli = join(dirname(require.resolve('playwright/package.json')), 'cli.js');
  const args = [cli, 'install', ...(isRoot ? ['--with-deps'] : []), 'chromium'];
  // Playwright says itself why the download failed.
  if (spawnSync(process.execPath, args, { stdio: 'inherit' }).status === 0) yield chromium.executablePath();
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function rendersPage(executablePath: string): Promise<boolean> {
  try {
    const browser = await chromium.launch({ executablePath, args: [...browserArgs], timeout: 30_000 });
    try {
      const page = await browser.newPage();
      await page.setContent('<p style="width: 321px">ready</p>');
      return (await page.locator('p').evaluate((paragraph) => paragraph.clientWidth)) === 321;
    } finally {
      await browser.close();
    }
  } catch (error) {
    console.error(
      `${executablePath} does not render a page: ${error instanceof Error ? error.message : String(error)}`,
    );
    return false;
  }
}

if (import.meta.main) {
  try {
    console.log(`Browser: ${await prepareBrowser()}`);
  } catch (error) {
    // A person reads it: what to do, and no stack.
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
