import type { Locator, Page } from '@playwright/test';
import { createFlow, runFlow } from '#contracts/flows.ts';
import { createProfile } from '#contracts/profiles.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { signInAs } from './session.ts';

type Shop = { customer: Customer; projectId: number };

/** A customer who can send, with one profile that has the fields a flow may look at. */
async function openShop(url: string): Promise<Shop> {
  const customer = await signUpSubscriber(url);
  const project = await makeProject(customer);
  await connectSandboxPhone(customer, project.id);
  await addProfile(customer, { phone: '14155552600', name: 'Olga Ruiz', installed: false });
  return { customer, projectId: project.id };
}

type Person = { phone: string; name: string; installed: boolean };

async function addProfile({ api }: Customer, { phone, name, installed }: Person): Promise<void> {
  await api.call(createProfile, { body: { phone, name, custom_fields: { installed, shop: 'Corner' } } });
}

const condition = { fieldPath: 'custom_fields.installed', operator: 'equals', value: 'true' } as const;

async function addFlow({ customer, projectId }: Shop, active: boolean): Promise<number> {
  const action = { projectId, message: 'Hi {name}' };
  const { body: flow } = await customer.api.call(createFlow, {
    body: { name: 'Welcome', conditions: [condition], action, active },
  });
  return flow.id;
}

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

async function choose(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

test('a flow writes to whom it matches: by itself, and on request', async ({ page, product }) => {
  test.setTimeout(120_000);
  const { customer } = await openShop(product.url);
  await signInAs(page, '/flows', customer);
  await expect(page.getByText('No flows yet. Create your first one above.')).toBeVisible();

  await page.getByRole('button', { name: 'New Flow' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create Flow' }).click();
  await expect(page.getByText('Please fill: name, project, message')).toBeVisible();
  await dialog.getByLabel('Name', { exact: true }).fill('Welcome');
  await dialog.getByRole('combobox', { name: 'Field path' }).fill('installed');
  await dialog.getByRole('option', { name: /^custom_fields.installed/ }).click();
  await dialog.getByRole('combobox', { name: 'Value' }).fill('true');
  await expect(dialog.getByText('0 profiles match')).toBeVisible();
  await dialog.getByRole('combobox', { name: 'Value' }).fill('false');
  await dialog.getByRole('button', { name: 'Preview Count' }).click();
  await expect(dialog.getByText('1 profile matches')).toBeVisible();
  await dialog.getByRole('combobox', { name: 'Value' }).fill('true');
  await dialog.getByLabel('Message Template').fill('Hi {name}, welcome to {custom_fields.shop}');
  await expect(dialog.getByText('Hi John, welcome to [custom_fields.shop]')).toBeVisible();
  await dialog.getByLabel('Name', { exact: true }).press('Enter');
  await page.getByRole('button', { name: 'Activate for 0' }).click();
  await expect(dialog).toBeHidden();
  const row = rowOf(page, 'Welcome');
  await expect(row).toContainText('custom_fields.installed equals true and updated_at is within the last 24 hours');
  await expect(row.getByText('Active', { exact: true })).toBeVisible();

  await addProfile(customer, { phone: '14155552601', name: 'Maria Silva', installed: true });
  await expect(row).toContainText('1 sent');
  await expect(row).toContainText(/just now|\ds ago/);

  await choose(page, 'Deliveries');
  await expect(page.getByRole('dialog', { name: 'Deliveries — Welcome' })).toBeVisible();
  await expect(dialog.getByText('Total: 1')).toBeVisible();
  await expect(rowOf(page, 'Hi Maria Silva, welcome to Corner')).toContainText('Maria Silva');
  await dialog.getByRole('link', { name: 'Read' }).click();
  await expect(page.getByRole('cell', { name: 'Hi Maria Silva, welcome to Corner' })).toBeVisible();

  await page.goto('/flows');
  await choose(page, 'Edit');
  await expect(dialog.getByLabel('Message Template')).toHaveValue('Hi {name}, welcome to {custom_fields.shop}');
  await dialog.getByLabel('Message Template').fill('Good day {name}');
  await dialog.getByRole('switch', { name: 'Active' }).click();
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect(dialog).toBeHidden();
  await expect(row.getByText('Inactive')).toBeVisible();

  await addProfile(customer, { phone: '14155552602', name: 'Ana Lima', installed: true });
  await row.getByRole('button', { name: 'Run now' }).click();
  await expect(page.getByText('1 message queued')).toBeVisible();
  await expect(row).toContainText('2 sent');
  await page.getByRole('button', { name: /^Run now/ }).click();
  await expect(page.getByText('No message queued: whoever matches had it already')).toBeVisible();

  await choose(page, 'Delete');
  const question = page.getByRole('alertdialog', { name: 'Delete this flow?' });
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('No flows yet. Create your first one above.')).toBeVisible();
});

/** Goes on with the keyboard until the control has the focus. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  for (let steps = 0; steps < 60; steps += 1) {
    if (await control.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  await expect(control).toBeFocused();
}

test('is made, run, paused and deleted by keyboard alone', async ({ page, product }) => {
  test.setTimeout(90_000);
  const { customer } = await openShop(product.url);
  await signInAs(page, '/flows', customer);
  await expect(page.getByText('No flows yet. Create your first one above.')).toBeVisible();
  const press = (key: string) => page.keyboard.press(key);

  await tabTo(page, page.getByRole('button', { name: 'New Flow' }));
  await press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Name', { exact: true })).toBeFocused();
  await page.keyboard.type('By keys');
  await tabTo(page, dialog.getByRole('combobox', { name: 'Operator' }));
  await page.keyboard.type('Exists');
  await expect(dialog.getByText('No value needed')).toBeVisible();
  await tabTo(page, dialog.getByRole('button', { name: '+ Add Condition' }));
  await press('Enter');
  const added = dialog.getByRole('group', { name: 'Condition 2' });
  await expect(added.getByRole('combobox', { name: 'Field path' })).toBeFocused();
  await page.keyboard.type('inst');
  await expect(dialog.getByRole('option', { name: /^custom_fields.installed/ })).toBeVisible();
  await press('ArrowDown');
  await press('Enter');
  await expect(added.getByRole('combobox', { name: 'Field path' })).toHaveValue('custom_fields.installed');
  await tabTo(page, added.getByRole('button', { name: 'Remove condition' }));
  await press('Enter');
  await expect(dialog.getByRole('combobox', { name: 'Field path' })).toBeFocused();
  await tabTo(page, dialog.getByLabel('Message Template'));
  await page.keyboard.type('Hi {name}');
  await tabTo(page, dialog.getByRole('switch', { name: 'Active' }));
  await press('Space');
  await tabTo(page, dialog.getByRole('button', { name: 'Create Flow' }));
  await press('Enter');
  await expect(dialog).toBeHidden();
  const row = rowOf(page, 'By keys');
  await expect(row.getByText('Inactive')).toBeVisible();
  await expect(page.getByRole('button', { name: 'New Flow' })).toBeFocused();

  await tabTo(page, row.getByRole('button', { name: 'Run now' }));
  await press('Enter');
  await expect(page.getByText('No profile matches now')).toBeVisible();

  const actions = row.getByRole('button', { name: 'Actions for By keys' });
  await tabTo(page, actions);
  await press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Report' })).toBeFocused();
  await page.keyboard.type('Act');
  await expect(page.getByRole('menuitem', { name: 'Activate' })).toBeFocused();
  await press('Enter');
  await expect(page.getByRole('alertdialog').getByRole('button', { name: 'Activate' })).toBeEnabled();
  await press('Tab');
  await press('Enter');
  await expect(row.getByText('Active', { exact: true })).toBeVisible();
  await expect(actions).toBeFocused();
  await press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Report' })).toBeFocused();
  await press('End');
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeFocused();
  await press('Enter');
  await expect(page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' })).toBeFocused();
  await press('Tab');
  await press('Enter');
  await expect(page.getByText('No flows yet. Create your first one above.')).toBeVisible();
});

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
]) {
  test.describe(`${viewport.width} wide`, () => {
    test.use({ viewport });

    test('the page and its dialogs have no accessibility violations', async ({ page, product }) => {
      test.setTimeout(90_000);
      const shop = await openShop(product.url);
      await signInAs(page, '/flows', shop.customer);
      await expect(page.getByText('No flows yet. Create your first one above.')).toBeVisible();
      await expectAccessible(page, 'no flows');

      await addProfile(shop.customer, { phone: '14155552603', name: 'João Souza', installed: true });
      const flowId = await addFlow(shop, false);
      await shop.customer.api.call(runFlow, { params: { flowId } });
      await page.goto('/flows');
      await expect(page.getByRole('link', { name: 'Welcome' })).toBeVisible();
      await expectAccessible(page, 'the list');

      await page.getByRole('button', { name: 'New Flow' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: '+ Add Condition' }).click();
      await dialog.getByRole('button', { name: 'Create Flow' }).click();
      await expect(dialog.getByText('Enter a name')).toBeVisible();
      await expectAccessible(page, 'the editor, refused');

      await page.goto(`/flows?edit=${flowId}`);
      await expect(dialog.getByText('1 profile matches')).toBeVisible();
      await expectAccessible(page, 'the editor');

      await page.goto(`/flows?deliveries=${flowId}`);
      await expect(dialog.getByText('Hi João Souza')).toBeVisible();
      await expectAccessible(page, 'deliveries');

      await page.goto('/flows');
      await choose(page, 'Delete');
      await expect(page.getByRole('alertdialog')).toBeVisible();
      await expectAccessible(page, 'the question before deleting');
    });
  });
}
