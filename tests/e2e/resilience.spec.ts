import { logout } from '#contracts/accounts.ts';
import { createProfile } from '#contracts/profiles.ts';
import { updateProject } from '#contracts/projects.ts';
import { listTemplates } from '#contracts/saved-templates.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { signInAs } from './session.ts';

test('a page whose code stays away says so inside the shell, and comes when asked again', async ({
  page,
  product,
  pageErrors,
}) => {
  await signInAs(page, '/', await signUpSubscriber(product.url));
  const unfetched = page.getByRole('heading', { name: 'This page could not be loaded' });
  const documents: string[] = [];
  page.on('request', (request) => request.isNavigationRequest() && documents.push(request.url()));
  await page.route('**/assets/profiles-page-*.js', (route) => route.abort());
  await page.getByRole('link', { name: 'Profiles' }).click();
  // A newer version may have other files: it reloads, once.
  await expect.poll(() => documents.length).toBe(1);
  await expect(unfetched).toBeVisible();
  await expect(page.getByRole('main')).toHaveCount(1);
  await expectAccessible(page, 'a page that could not be loaded');
  await expect(page.getByRole('link', { name: 'Go to the dashboard' })).toHaveAttribute('href', '/');
  // The menu works on.
  await page.getByRole('link', { name: 'Segments' }).click();
  await expect(page.getByRole('heading', { name: 'Segments', level: 1 })).toBeVisible();

  await page.getByRole('link', { name: 'Profiles' }).click();
  await expect(unfetched).toBeVisible();
  expect(documents).toHaveLength(1);
  await page.unroute('**/assets/profiles-page-*.js');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page).toHaveURL('/profiles');
  await expect(page.getByText('No profiles yet')).toBeVisible();
  const others = pageErrors
    .splice(0)
    .filter((error) => !/dynamically imported module|could not be fetched/.test(error));
  expect(others).toEqual([]);
});

test('the eighth tab loads, and every tab is told of a change', async ({ page, product, context }) => {
  const customer = await signUpSubscriber(product.url);
  const { id: projectId } = await makeProject(customer);
  await signInAs(page, '/projects', customer);
  // Without TLS a browser has six connections to a server.
  const tabs = [page];
  for (let count = 0; count < 7; count += 1) {
    const tab = await context.newPage();
    await tab.goto('/projects');
    await expect(tab.getByRole('heading', { name: 'Shop' })).toBeVisible();
    tabs.push(tab);
  }
  await customer.api.call(updateProject, { params: { projectId }, body: { name: 'Bakery' } });
  for (const tab of tabs.toReversed()) await expect(tab.getByRole('heading', { name: 'Bakery' })).toBeVisible();
});

test('an address that leads nowhere says so, with a way on', async ({ page, product }) => {
  await signInAs(page, '/nowhere', await signUpSubscriber(product.url));
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await expect(page).toHaveTitle('Page not found · Dovepost');
  await page.getByRole('link', { name: 'Go to the dashboard' }).click();
  await expect(page).toHaveURL('/');
  await expect(page).toHaveTitle('Dashboard · Dovepost');
});

test('without a connection a banner says so; with it again the page catches up by itself', async ({
  page,
  product,
  context,
}) => {
  const customer = await signUpSubscriber(product.url);
  await signInAs(page, '/projects', customer);
  await expect(page.getByText('Get started by creating a new project.')).toBeVisible();
  const banner = page.getByRole('status').filter({ hasText: 'You are offline.' });
  await expect(banner).toHaveCount(0);
  await context.setOffline(true);
  await expect(banner).toBeVisible();
  await makeProject(customer);
  await expect(page.getByText('Get started by creating a new project.')).toBeVisible();
  await context.setOffline(false);
  await expect(banner).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'View Details' })).toBeVisible();
});

test('changes made while the live stream is being opened are shown without a reload', async ({ page, product }) => {
  const customer = await signUpSubscriber(product.url);
  const project = await makeProject(customer);
  const changed = Promise.withResolvers<void>();
  await page.route('**/api/events*', async (route) => {
    await changed.promise;
    await route.continue();
  });
  await signInAs(page, '/projects', customer);
  await expect(page.getByRole('link', { name: 'Shop' })).toBeVisible();
  const other = await fetch(`${product.url}/api/events`, { headers: { authorization: customer.token } });
  await customer.api.call(updateProject, { params: { projectId: project.id }, body: { name: 'Renamed meanwhile' } });
  // Every stream that is open by now has got the event.
  for await (const chunk of other.body ?? []) if (Buffer.from(chunk).includes('projects.changed')) break;
  changed.resolve();
  await expect(page.getByRole('link', { name: 'Renamed meanwhile' })).toBeVisible();
});

test('a form whose answer was lost says so in its place, and another try makes no second one', async ({
  page,
  product,
}) => {
  const customer = await signUpSubscriber(product.url);
  let isLost = false;
  await page.route(
    ({ pathname }) => pathname === '/api/templates',
    async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      if (isLost) return route.fallback();
      isLost = true;
      await route.fetch();
      return route.abort();
    },
  );
  await signInAs(page, '/templates', customer);
  await page.getByRole('button', { name: 'New Template' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New Template' });
  await dialog.getByLabel('Name', { exact: true }).fill('Order');
  await dialog.getByLabel('Message', { exact: true }).fill('Hi {name}');
  await dialog.getByRole('button', { name: 'Create Template' }).click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await expect(dialog.getByLabel('Name', { exact: true })).toHaveValue('Order');
  await expectAccessible(page, 'a form that could not be saved', '[role="dialog"]');
  await dialog.getByRole('button', { name: 'Create Template' }).click();
  await expect(dialog).toHaveCount(0);
  expect((await customer.api.call(listTemplates, { query: {} })).body.data.map(({ name }) => name)).toEqual(['Order']);
});

test('a session that ran out says so, and signing in leads back to where it was', async ({ page, product }) => {
  const customer = await signUpSubscriber(product.url);
  await customer.api.call(createProfile, { body: { phone: '+1 415 555 2671', name: 'João Souza' } });
  await signInAs(page, '/profiles', customer);
  await page.getByLabel('Search profiles').fill('souza');
  await expect(page).toHaveURL('/profiles?search=souza');
  await expect(page.getByText('1 profile found')).toBeVisible();

  await customer.api.call(logout);
  await page.getByLabel('Search profiles').fill('souz');
  await expect(page).toHaveURL('/login');
  await expect(page.getByText('Your session has ended. Sign in to go on where you were.')).toBeVisible();
  await page.getByLabel('Email').fill(customer.email);
  await page.getByLabel('Password', { exact: true }).fill(customer.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL('/profiles?search=souz');
  await expect(page.getByText('1 profile found')).toBeVisible();
});

test('after logging out, the next sign-in starts at the dashboard, and nothing is left behind for others', async ({
  page,
  product,
}) => {
  const customer = await signUpSubscriber(product.url);
  await signInAs(page, '/bulk-send', customer);
  const contacts = Buffer.from('country_code,phone,name\n1,4155550123,Ada');
  const file = { name: 'customers.csv', mimeType: 'text/csv', buffer: contacts };
  await page.locator('input[type="file"]').setInputFiles(file);
  await expect(page.getByText('Loaded 1 rows')).toBeVisible();
  const kept = () => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
  expect(await kept()).toHaveLength(1);
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/login');
  await expect.poll(kept).toEqual([]);
  await page.getByLabel('Email').fill(customer.email);
  await page.getByLabel('Password', { exact: true }).fill(customer.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL('/');
});

test('bulk send in a second tab waits for the first', async ({ page, product, context }) => {
  const customer = await signUpSubscriber(product.url);
  await signInAs(page, '/bulk-send', customer);
  await expect(page.getByText('No contacts yet')).toBeVisible();
  const second = await context.newPage();
  await signInAs(second, '/bulk-send', customer);
  await expect(second.getByText('Bulk send is open in another tab')).toBeVisible();
  await expect(second.locator('input[type="file"]')).toHaveCount(0);
  await page.close();
  await expect(second.getByText('No contacts yet')).toBeVisible();
});

test('a page is fetched as soon as somebody means to open it', async ({ page, product }) => {
  await signInAs(page, '/', await signUpSubscriber(product.url));
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Segments' });
  await expect(link).toBeVisible();
  const fetched = page.waitForRequest(/assets\/segments-page-.*\.js$/);
  await link.hover();
  await fetched;
  await expect(page).toHaveURL('/');
});
