import type { Page } from '@playwright/test';
import { createProfile } from '#contracts/profiles.ts';
import { createTemplate } from '#contracts/saved-templates.ts';
import { createSegment } from '#contracts/segments.ts';
import { acceptInvitation, invite } from '#contracts/team.ts';
import { connectSandboxPhone, makeProject, signUp, signUpSubscriber } from '#tests/support/customer.ts';
import { expect, test } from './fixtures.ts';
import { signInAs } from './session.ts';

const button = (page: Page) => page.getByRole('button', { name: 'Open the command palette' });
const field = (page: Page) => page.getByRole('combobox', { name: 'Command palette' });
const options = (page: Page) => page.getByRole('listbox', { name: 'Command palette' }).getByRole('option');

/** Opens it with the keyboard, types, and takes the first that is found. */
async function run(page: Page, query: string, expected: string): Promise<void> {
  await expect(button(page)).toBeVisible();
  await page.keyboard.press('Control+k');
  await field(page).fill(query);
  await expect(options(page).first()).toHaveText(expected);
  await page.keyboard.press('Enter');
  await expect(field(page)).toBeHidden();
}

test('goes to pages, projects, segments and people by keyboard, the recent ones first', async ({ page, product }) => {
  const customer = await signUpSubscriber(product.url);
  const project = await makeProject(customer);
  const { body: profile } = await customer.api.call(createProfile, {
    body: { phone: '+1 415 555 2671', name: 'João Souza' },
  });
  const condition = { fieldPath: 'name', operator: 'exists', value: '' } as const;
  const { body: segment } = await customer.api.call(createSegment, { body: { name: 'Regulars', condition } });
  const { body: template } = await customer.api.call(createTemplate, {
    body: { name: 'Order ready', message: 'Hi {name|there}' },
  });
  await signInAs(page, '/', customer);

  await button(page).focus();
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
  await expect(field(page)).toHaveAttribute('aria-activedescendant', /page:dashboard$/);
  await page.keyboard.press('ArrowDown');
  const active = await field(page).getAttribute('aria-activedescendant');
  await expect(page.locator(`[id="${active}"]`)).toHaveAttribute('aria-selected', 'true');
  await expect(page.locator(`[id="${active}"]`)).toHaveText('Projects');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('option', { selected: true })).toHaveText('Log out');
  await page.keyboard.press('Escape');
  await expect(field(page)).toBeHidden();
  await expect(button(page)).toBeFocused();

  await run(page, 'blk', 'Bulk send');
  await expect(page).toHaveURL('/bulk-send');
  await run(page, 'sho', 'Shop');
  await expect(page).toHaveURL(`/projects/${project.id}`);
  await run(page, 'phone numbers', 'Phone numbers');
  await expect(page).toHaveURL(`/projects/${project.id}/phone-numbers`);
  await run(page, 'regul', 'Regulars');
  await expect(page).toHaveURL(`/segments/${segment.id}`);
  await expect(page.getByRole('dialog', { name: 'Edit Segment' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await run(page, 'order ready', 'Order ready');
  await expect(page).toHaveURL(`/templates?edit=${template.id}`);
  await expect(page.getByRole('dialog', { name: 'Edit Template' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await run(page, 'souza', 'João Souza+1 415 555 2671');
  await expect(page).toHaveURL(`/profiles/${profile.id}`);
  await page.goto('/');
  await run(page, '+1 (415) 555', 'João Souza+1 415 555 2671');
  await expect(page).toHaveURL(`/profiles/${profile.id}`);

  await page.keyboard.press('Control+k');
  await expect(page.getByRole('group', { name: 'Recent' }).getByRole('option')).toHaveText([
    'João Souza',
    'Order ready',
    'Regulars',
    'Phone numbers',
    'Shop',
  ]);
  await field(page).fill('zebra crossing');
  await expect(page.getByText('Nothing matches “zebra crossing”')).toBeVisible();
  await expect(field(page)).not.toHaveAttribute('aria-activedescendant', /./);
});

test('starts new things where they are made, once', async ({ page, product }) => {
  const customer = await signUpSubscriber(product.url);
  await signInAs(page, '/settings', customer);
  await run(page, 'new project', 'New project');
  await expect(page).toHaveURL('/projects/new');
  await makeProject(customer);
  await page.goto('/settings');

  // Forms that keep drafts are there again after a reload.
  for (const [query, option, url, title, isKept] of [
    ['new seg', 'New segment', '/segments/new', 'New Segment', true],
    ['add contact', 'New profile', /\/profiles/, 'New Profile', true],
    ['new phone', 'New phone number', /\/phone-numbers$/, 'Add Phone Number', false],
  ] as const) {
    await run(page, query, option);
    await expect(page).toHaveURL(url);
    await expect(page.getByRole('dialog', { name: title })).toBeVisible();
    await page.reload();
    if (isKept) {
      await expect(page.getByRole('dialog', { name: title })).toBeVisible();
      await page.keyboard.press('Escape');
    } else await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    // On the very page, too.
    await run(page, query, option);
    await expect(page.getByRole('dialog', { name: title })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
  await page.keyboard.press('Control+k');
  await field(page).fill('new pro');
  await expect(options(page).first()).toHaveText('New profile');
  await expect(page.getByRole('option', { name: 'New project' })).toHaveCount(0);
});

test('says that it searches, and that it could not', async ({ page, product }) => {
  await signInAs(page, '/', await signUpSubscriber(product.url));
  await page.route('**/api/profiles?*search=ada*', (route) => route.fulfill({ status: 422, json: {} }));
  await button(page).click();
  await field(page).fill('ada');
  await expect(page.getByText('Searching...')).toBeVisible();
  await expect(page.getByText('Not everything could be searched. Try again in a moment.')).toBeVisible();
});

test('switches the theme, and logs out without leaving a trace of what was chosen', async ({ page, product }) => {
  const customer = await signUpSubscriber(product.url);
  await connectSandboxPhone(customer, (await makeProject(customer)).id);
  await signInAs(page, '/', customer);
  await run(page, 'dark', 'Use the dark theme');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  const remembered = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('recent')));
  expect(await remembered()).toHaveLength(1);
  await run(page, 'sign out', 'Log out');
  await expect(page).toHaveURL('/login');
  expect(await remembered()).toEqual([]);
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeHidden();
});

test('leaves an open dialog alone', async ({ page, product }) => {
  await signInAs(page, '/segments', await signUpSubscriber(product.url));
  await page.getByRole('button', { name: 'New Segment' }).first().click();
  await page.getByLabel('Name').fill('Regulars');
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeHidden();
  await expect(page.getByLabel('Name')).toHaveValue('Regulars');
});

test('members are offered what their role allows, and search what they may read', async ({ page, product }) => {
  const owner = await signUpSubscriber(product.url);
  await makeProject(owner);
  const agent = await signUp(product.url);
  const { body } = await owner.api.call(invite, { body: { email: agent.email, role: 'agent' } });
  const token = body.url.slice(body.url.lastIndexOf('/') + 1);
  await agent.api.call(acceptInvitation, { params: { token }, body: {} });
  const statuses: number[] = [];
  page.on('response', (response) => statuses.push(response.status()));
  await signInAs(page, '/inbox', agent);
  await button(page).click();
  await expect(options(page).filter({ hasText: 'Profiles' }).first()).toBeVisible();
  for (const name of ['Automations', 'Flows', 'Bulk send', 'Bulk runs', 'Sending', 'Audit log', 'New campaign']) {
    await expect(page.getByRole('option', { name, exact: true }), name).toHaveCount(0);
  }
  await field(page).fill('project');
  await expect(page.getByRole('option', { name: 'New project' })).toHaveCount(0);
  await field(page).fill('api key');
  await expect(page.getByText('Searching...')).toBeHidden();
  await expect(page.getByRole('option', { name: 'API key', exact: true })).toHaveCount(0);
  await expect(page.getByText('Not everything could be searched.')).toHaveCount(0);
  expect(statuses).not.toContain(403);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('fits and takes a tap', async ({ page, product }) => {
    await signInAs(page, '/', await signUpSubscriber(product.url));
    await button(page).tap();
    await expect(field(page)).toBeFocused();
    const box = await page.getByRole('dialog').boundingBox();
    expect(box?.width).toBeLessThanOrEqual(390);
    await page.getByRole('option', { name: 'Flows', exact: true }).tap();
    await expect(page).toHaveURL('/flows');
  });
});

test('a number that is typed can be written to, in each country that it may be of', async ({ page, product }) => {
  const customer = await signUpSubscriber(product.url);
  await makeProject(customer);
  await signInAs(page, '/', customer);
  await expect(button(page)).toBeVisible();
  await page.keyboard.press('Control+k');
  await field(page).fill('+351 912 310 555');
  await page.getByRole('option', { name: 'Write to +351 912 310 555' }).click();
  const dialog = page.getByRole('dialog', { name: 'New message' });
  await expect(dialog.getByLabel('Phone', { exact: true })).toHaveValue('+351912310555');
  await expect(dialog.getByRole('status').first()).toContainText('Portugal');
});
