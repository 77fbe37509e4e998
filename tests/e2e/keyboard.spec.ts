import type { Locator, Page } from '@playwright/test';
import { createProfile } from '#contracts/profiles.ts';
import { createSegment } from '#contracts/segments.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { signInAs } from './session.ts';

const maxStops = 60;

/** Reads the focused element, and whether its focus is visible: on itself, or on the control that it is part of. */
async function readFocus(page: Page): Promise<{ tag: string; isSeen: boolean }> {
  return page.evaluate(() => {
    const element = document.activeElement ?? document.body;
    const isOutlined = (candidate: Element) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(candidate);
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0;
    };
    const around = [element, element.parentElement, element.parentElement?.parentElement ?? null];
    return { tag: element.tagName, isSeen: around.some((candidate) => candidate !== null && isOutlined(candidate)) };
  });
}

/** Tab by Tab to a control; the focus is on something and in sight at every stop. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(target).toBeVisible();
  for (let stop = 0; stop < maxStops; stop += 1) {
    await page.keyboard.press(key);
    const { tag, isSeen } = await readFocus(page);
    if (tag === 'BODY') continue;
    const html = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 120));
    expect(isSeen, `the focus is in sight on ${html}`).toBe(true);
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`${String(target)} is not among the first ${maxStops} stops`);
}

async function typeInto(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.type(text);
}

async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

const button = (page: Page | Locator, name: string | RegExp) => page.getByRole('button', { name }).first();

test('from signing in to a message that is sent, by keyboard alone', async ({ page, product }) => {
  test.setTimeout(90_000);
  const { email, password } = await signUpSubscriber(product.url);
  await page.goto('/login');
  await typeInto(page, page.getByLabel('Email'), email);
  await typeInto(page, page.getByLabel('Password', { exact: true }), password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/');

  await press(page, page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Projects' }));
  await expect(page).toHaveURL('/projects');
  await press(
    page,
    page
      .getByRole('main')
      .getByRole('link', { name: /new project/i })
      .or(button(page, /new project/i))
      .first(),
  );
  await expect(page).toHaveURL('/projects/new');
  await typeInto(page, page.getByLabel('Project Name'), 'Corner shop');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/projects');

  await press(page, page.getByRole('link', { name: 'View Details' }));
  await press(page, page.getByRole('main').getByRole('link', { name: 'Phone numbers' }));
  await press(page, button(page, 'Add Phone Number'));
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Phone Number', { exact: true })).toBeFocused();
  await page.keyboard.type('+1 415 555 0100');
  await tabTo(page, dialog.getByRole('radio').first());
  await page.keyboard.press('ArrowRight');
  await expect(dialog.getByRole('radio', { name: /sandbox/i })).toBeChecked();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Phone number added successfully')).toBeVisible();
  await expect(button(page, 'Add Phone Number')).toBeFocused();
  const phone = page.getByRole('article').first();
  await press(page, button(phone, 'Connect'));
  await expect(phone.getByText('Connected', { exact: true })).toBeVisible();
  await expect(button(phone, 'Disconnect')).toBeFocused();

  await press(page, page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }));
  await tabTo(page, page.getByRole('main').getByLabel('Project', { exact: true }));
  await page.keyboard.type('Corner');
  await typeInto(page, page.getByLabel('Recipient number'), '14155550123');
  await typeInto(page, page.getByLabel('Message', { exact: true }), 'Hello from the keyboard');
  await press(page, button(page, 'Send message'));
  await expect(page.getByText('Message sent successfully')).toBeVisible();
  expect((await readFocus(page)).tag).toBe('BUTTON');
});

test('a segment is made, changed and deleted by keyboard alone, and the focus is never lost', async ({
  page,
  product,
}) => {
  const customer = await signUpSubscriber(product.url);
  await customer.api.call(createProfile, { body: { phone: '+1 415 555 2671', custom_fields: { installed: true } } });
  const condition = { fieldPath: 'email', operator: 'exists', value: '' } as const;
  await customer.api.call(createSegment, { body: { name: 'Reachable by email', condition } });
  await signInAs(page, '/segments', customer);
  const dialog = page.getByRole('dialog');

  await press(page, button(page, 'New Segment'));
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(button(page, 'New Segment')).toBeFocused();

  await page.keyboard.press('Enter');
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await page.keyboard.type('Installed users');
  await typeInto(page, dialog.getByLabel('Field Path'), 'inst');
  await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(dialog.getByLabel('Field Path')).toHaveValue('custom_fields.installed');
  await typeInto(page, dialog.getByLabel('Value'), 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Segment created')).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(button(page, 'New Segment')).toBeFocused();

  const row = page.getByRole('row').filter({ hasText: 'Installed users' });
  await press(page, button(row, /^Edit/));
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(button(row, /^Edit/)).toBeFocused();

  await press(page, button(row, /^Delete/));
  const question = page.getByRole('alertdialog');
  await expect(button(question, 'Cancel')).toBeFocused();
  await press(page, button(question, /^Delete/));
  await expect(page.getByText('Segment deleted')).toBeVisible();
  await expect(question).toHaveCount(0);
  await expect(row).toHaveCount(0);
  await expect(page.locator('main:focus-within')).toHaveCount(1);
});

test('the skip link leads past the menu', async ({ page, product }) => {
  await signInAs(page, '/projects', await signUpSubscriber(product.url));
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);
});

test('another page takes the focus to its beginning, and its title to the document', async ({ page, product }) => {
  await signInAs(page, '/', await signUpSubscriber(product.url));
  const menu = page.getByRole('navigation', { name: 'Main' });
  for (const [name, title] of [
    ['Profiles', 'Profiles'],
    ['Automations', 'Automations'],
    ['Bulk send', 'Bulk Send'],
  ] as const) {
    await press(page, menu.getByRole('link', { name }));
    await expect(page).toHaveTitle(`${title} · Dovepost`);
    await expect(page.getByRole('main')).toBeFocused();
    await expect(page.locator('p[role="status"]').filter({ hasText: title }).first()).toBeAttached();
  }
});

test('a page of one thing carries its name and leads back to its list; ? lists the keys; the palette writes to somebody', async ({
  page,
  product,
}) => {
  const customer = await signUpSubscriber(product.url);
  const project = await makeProject(customer);
  await signInAs(page, `/projects/${project.id}`, customer);
  await expect(page).toHaveTitle(`${project.name} · Dovepost`);
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' });
  await expect(crumbs.getByRole('listitem').last()).toHaveText(project.name);
  await page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Phone numbers' }).click();
  await expect(page).toHaveTitle(`Phone Numbers · ${project.name} · Dovepost`);
  await crumbs.getByRole('link', { name: project.name }).click();
  await expect(page).toHaveTitle(`${project.name} · Dovepost`);
  await crumbs.getByRole('link', { name: 'Projects' }).click();
  await expect(page).toHaveTitle('Projects · Dovepost');
  await expect(crumbs).toHaveCount(0);
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(help.getByText('Search and commands')).toBeVisible();
  await expectAccessible(page, 'the list of keys', '[role="dialog"]');
  await page.keyboard.press('Escape');
  await expect(help).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Command palette' }).fill('New mess');
  await page.keyboard.press('Enter');
  await expect(
    page.getByRole('dialog', { name: 'New message' }).getByRole('combobox', { name: 'Phone' }),
  ).toBeVisible();
});

test.describe('on a narrow screen', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('the menu keeps the focus while it is open, and gives it back', async ({ page, product }) => {
    await signInAs(page, '/', await signUpSubscriber(product.url));
    await press(page, button(page, 'Open menu'));
    const menu = page.getByRole('dialog', { name: 'Menu' });
    await expect(menu).toBeVisible();
    for (let stop = 0; stop < 30; stop += 1) {
      await page.keyboard.press('Tab');
      expect(await menu.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    }
    await page.keyboard.press('Escape');
    await expect(button(page, 'Open menu')).toBeFocused();
  });
});
