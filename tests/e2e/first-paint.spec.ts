import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { expect, test } from './fixtures.ts';
import { signInAs } from './session.ts';

const mark = '#arriving svg';

test('while code and style sheet are on their way, the page stands there in its theme', async ({ page, product }) => {
  await page.addInitScript(() => localStorage.setItem('dovepost.theme', 'dark'));
  let isHeld = true;
  const held: (() => void)[] = [];
  await page.route('**/assets/**', async (route) => {
    if (isHeld) await new Promise<void>((resolve) => held.push(resolve));
    await route.continue();
  });
  await page.goto(product.url, { waitUntil: 'commit' });
  await expect(page.locator(mark)).toBeVisible();
  const painted = () => page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length);
  await expect.poll(painted).toBe(1);
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await background();
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');

  isHeld = false;
  for (const release of held) release();
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await expect(page.locator(mark)).toBeHidden();
  expect(await background()).toBe(dark);
  await page.evaluate(() => delete document.documentElement.dataset['theme']);
  expect(await background()).not.toBe(dark);
});

test('the parts of a page and the user are requested before any code runs', async ({ page, product }) => {
  const customer = await signUpSubscriber(product.url);
  const project = await makeProject(customer);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.route('**/assets/index-*.js', async (route) => {
    // The entry comes once the rest has been asked for; without that it never does.
    await expect.poll(() => asked.some((path) => path.startsWith('/assets/project-page-'))).toBe(true);
    await expect.poll(() => asked).toContain('/api/user/me');
    await route.continue();
  });
  // The stream is left unanswered: an event, such as this customer's recent payment, would cause a second request.
  await page.route('**/api/events*', () => undefined);
  await signInAs(page, `/projects/${project.id}`, customer);
  await expect(page.getByRole('heading', { name: project.name, level: 1 })).toBeVisible();
  expect(asked.filter((path) => path === '/api/user/me')).toHaveLength(1);
});

test('a stranger fetches the sign-in page, wherever they come in', async ({ page, product }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(`${product.url}/campaigns`);
  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  expect(asked.filter((path) => /campaigns-page|frame-/.test(path))).toEqual([]);
});

test('nothing on a page with a form tries what the content security policy refuses', async ({ page, product }) => {
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
      document.documentElement.dataset['refused'] = effectiveDirective;
    });
  });
  await page.goto(`${product.url}/login`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true');
  expect(await page.locator('html').getAttribute('data-refused')).toBeNull();
});
