import { updateProject } from '#contracts/projects.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { expectAccessible } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { signInAs } from './session.ts';

test('an owner reads what was done, narrows it, and follows the history of a project', async ({ page, product }) => {
  const owner = await signUpSubscriber(product.url);
  const project = await makeProject(owner);
  await owner.api.call(updateProject, { params: { projectId: project.id }, body: { name: 'Larkspur' } });
  await signInAs(page, '/settings/team', owner);
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Audit log' }).click();
  const log = page.getByRole('region', { name: 'Audit log' });
  const change = log.getByRole('listitem').filter({ hasText: 'changed the project Larkspur' });
  await expect(change).toContainText('Ada Lovelace');
  await change.locator('summary').click();
  await expect(change.getByRole('row', { name: 'Name Shop Larkspur' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 2, name: 'Today' })).toBeVisible();
  await expect(page.getByText(/^\d+ entries$/)).toBeVisible();
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expectAccessible(page, `the audit log at ${width} pixels`);
  }
  await page.getByLabel('When').selectOption('Last 7 days');
  await expect(page).toHaveURL(/days=7/);
  await expect(change).toBeVisible();
  await page.getByLabel('About').selectOption('Subscription');
  await expect(change).toHaveCount(0);
  await expect(log.getByText('paid the subscription')).toBeVisible();
  await page.getByRole('main').getByLabel('Project').selectOption('Larkspur');
  await expect(page.getByText('Nothing was done that matches.')).toBeVisible();
  await page.getByLabel('About').selectOption('Anything');
  await expect(page.getByText('2 entries')).toBeVisible();
  await page.goto(`/projects/${project.id}`);
  await page.getByRole('link', { name: 'History of Larkspur' }).click();
  await expect(log.getByRole('listitem')).toHaveCount(2);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  expect((await download).suggestedFilename()).toBe('audit-log.csv');
});
