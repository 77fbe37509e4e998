/** Takes a picture of every screen of a seeded product, wide and narrow, light and dark, for people to look at. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright';
import type { Browser, Page } from 'playwright';
import { createServer } from 'vite';
import { getCurrentUser } from '#contracts/accounts.ts';
import { browserArgs, prepareBrowser } from '#tests/support/browser.ts';
import { proveIdentity, signUp, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { startProduct } from '#tests/support/product.ts';
import { screensOf } from './screens.ts';
import type { Screen, Viewer } from './screens.ts';
import { seedShop } from './seed-shop.ts';

const directory = join(import.meta.dirname, '../../screens');
const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
];
const themes = ['light', 'dark'] as const;

/** The pictures that could not be taken, and why; the others are. */
const missed: string[] = [];

type Look = { size: (typeof sizes)[number]; theme: (typeof themes)[number] };

/** As signing in on the page leaves it. */
async function sessionOf({ token, api }: Customer): Promise<string> {
  const { body } = await api.call(getCurrentUser);
  return JSON.stringify({ token, user: body.user, currentProjectId: null });
}

async function settle(page: Page, viewer: Viewer): Promise<void> {
  await page.locator('h1').first().waitFor();
  // The components page shows what is busy, for good.
  if (viewer !== 'developer')
    await page.locator('[aria-busy="true"], [aria-label="Loading..."]').first().waitFor({ state: 'detached' });
  await page.evaluate('document.fonts.ready');
}

/** In a window as high as the page, what stands beside it is as high too; what was filled in has scrolled it. */
async function showWhole(page: Page, { width, height }: Look['size']): Promise<void> {
  const pageHeight = await page.evaluate<number>('document.documentElement.scrollHeight');
  await page.setViewportSize({ width, height: Math.max(height, pageHeight) });
  await page.evaluate('scrollTo(0, 0)');
}

/** The picture shows all of the page, or what is open over it. */
async function takePicture(
  page: Page,
  { name, viewer, path, arrange, open }: Screen,
  { size, theme }: Look,
): Promise<void> {
  await arrange?.(page);
  await page.goto(path);
  await settle(page, viewer);
  await open?.(page);
  if (open !== undefined) await settle(page, viewer);
  const isOver = (await page.getByRole('dialog').or(page.getByRole('alertdialog')).count()) > 0;
  if (!isOver) await showWhole(page, size);
  await page.screenshot({ path: join(directory, `${name}-${size.width}-${theme}.png`), animations: 'disabled' });
  await page.setViewportSize(size);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.context().setOffline(false);
}

type Views = {
  /** The product, and Vite's development server, which alone has the components page. */
  url: string;
  developmentUrl: string;
  look: Look;
  views: ReadonlyMap<Viewer, Screen[]>;
  sessions: Record<Viewer, string | undefined>;
};

async function lookAt(browser: Browser, { url, developmentUrl, look, views, sessions }: Views): Promise<void> {
  for (const [viewer, screens] of views) {
    const session = sessions[viewer];
    const baseURL = viewer === 'developer' ? developmentUrl : url;
    const isHandset = look.size.width < 600;
    const context = await browser.newContext({
      baseURL,
      viewport: look.size,
      colorScheme: look.theme,
      hasTouch: isHandset,
      isMobile: isHandset,
    });
    if (session !== undefined) {
      await context.addInitScript(`localStorage.setItem('dovepost.session', ${JSON.stringify(session)})`);
    }
    const page = await context.newPage();
    // Also on a machine that does other work.
    page.setDefaultTimeout(30_000);
    for (const screen of screens.filter(({ name }) => name !== 'menu' || look.size.width < 900)) {
      await takePicture(page, screen, look).catch((error: unknown) => {
        missed.push(`${screen.name} at ${look.size.width}, ${look.theme}: ${String(error)}`);
      });
    }
    await context.close();
  }
}

const dataDir = await mkdtemp(join(tmpdir(), 'dovepost-screens-'));
const product = await startProduct({ env: { DATA_DIR: dataDir, LOG_LEVEL: 'info' } });
const vite = await createServer({ server: { port: 0 }, logLevel: 'error' });
const browser = await chromium.launch({ executablePath: await prepareBrowser(), args: [...browserArgs] });
try {
  await vite.listen();
  const developmentUrl = vite.resolvedUrls?.local[0] ?? '';
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  const shop = await seedShop(product.url);
  const [newcomer, beginner] = [await signUp(product.url), await signUpSubscriber(product.url)];
  const sessions: Record<Viewer, string | undefined> = {
    visitor: undefined,
    developer: undefined,
    newcomer: await sessionOf(newcomer),
    beginner: await sessionOf(beginner),
    owner: await sessionOf(shop.customer),
  };
  const wanted = process.argv.slice(2);
  const screens = screensOf(shop).filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  const views = Map.groupBy(screens, ({ viewer }) => viewer);
  for (const size of sizes)
    for (const theme of themes) {
      // A payment would ask for the password again, a quarter of an hour after signing up.
      for (const customer of [newcomer, beginner, shop.customer]) await proveIdentity(customer);
      await lookAt(browser, { url: product.url, developmentUrl, look: { size, theme }, views, sessions });
    }
  console.log(
    `${screens.length} screens at ${sizes.map(({ width }) => width).join(' and ')}, light and dark: ${directory}`,
  );
  for (const picture of missed) console.error(`No picture of ${picture}`);
  if (missed.length > 0) process.exitCode = 1;
} finally {
  await browser.close();
  await vite.close();
  await product.stop();
  await rm(dataDir, { recursive: true, force: true });
}
