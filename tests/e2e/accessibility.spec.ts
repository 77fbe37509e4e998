import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { connectSandboxPhone, makeProject, signUp, subscribe } from '#tests/support/customer.ts';
import { addPhoneNumber } from '#contracts/phone-numbers.ts';
import { createProfile } from '#contracts/profiles.ts';
import { createSegment } from '#contracts/segments.ts';
import { expect, test } from './fixtures.ts';
import { signInAs } from './session.ts';

const screens = [
  { name: 'desktop, light', viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
  { name: 'desktop, dark', viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
  { name: 'phone, light', viewport: { width: 390, height: 844 }, colorScheme: 'light' },
  { name: 'phone, dark', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
] as const;

/** Some are refused, which leaves a record too. */
async function send(url: string, authKey: string, to: string): Promise<void> {
  await fetch(`${url}/api/send-message`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-auth-key': authKey },
    body: JSON.stringify({ to, message: 'Your order 1042 is on its way ✓' }),
  });
}

async function expectNoViolations(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.map(({ id, nodes }) => ({ id, path, nodes: nodes.map(({ html }) => html) }));
  expect(found).toEqual([]);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect({ path, overflow: Math.max(0, overflow) }).toEqual({ path, overflow: 0 });
}

for (const { name, viewport, colorScheme } of screens) {
  test.describe(name, () => {
    test.use({ viewport, colorScheme, contextOptions: { reducedMotion: 'reduce' } });

    test('pages of a visitor', async ({ page }) => {
      for (const path of ['/login', '/signup', '/forgot-password', '/reset-password?token=dpr_x']) {
        await expectNoViolations(page, path);
      }
    });

    test('the subscription page', async ({ page, product }) => {
      await signInAs(page, '/subscription', await signUp(product.url));
      await expectNoViolations(page, '/subscription');
    });

    test('pages without anything yet', async ({ page, product }) => {
      const customer = await signUp(product.url);
      await subscribe(customer);
      await signInAs(page, '/', customer);
      for (const path of ['/', '/projects', '/projects/new']) await expectNoViolations(page, path);
    });

    test('pages with a project, phones and records', async ({ page, product }) => {
      test.setTimeout(90_000);
      const customer = await signUp(product.url);
      await subscribe(customer);
      const project = await makeProject(customer, 'http://127.0.0.1:9/hook');
      await connectSandboxPhone(customer, project.id, { name: 'Front desk' });
      const params = { projectId: project.id };
      await customer.api.call(addPhoneNumber, { params, body: { phone_number: '5511900000300', is_active: false } });
      for (const to of ['14155550123', '14155550000']) await send(product.url, project.auth_key, to);
      await signInAs(page, '/', customer);
      const id = project.id;
      for (const path of ['/', '/projects', `/projects/${id}`, `/projects/${id}/phone-numbers`, '/settings']) {
        await expectNoViolations(page, path);
      }
      for (const path of ['/bulk-send', '/campaigns', '/flows', '/nowhere']) await expectNoViolations(page, path);
    });

    test('pages with profiles and segments', async ({ page, product }) => {
      const customer = await signUp(product.url);
      await subscribe(customer);
      await signInAs(page, '/', customer);
      for (const path of ['/profiles', '/segments', '/profiles/import']) await expectNoViolations(page, path);
      const { body: profile } = await customer.api.call(createProfile, {
        body: { phone: '+1 415 555 2671', name: 'Maria Silva', custom_fields: { installed: true, shop: 'Corner' } },
      });
      const condition = { fieldPath: 'custom_fields.installed', operator: 'equals', value: 'true' } as const;
      await customer.api.call(createSegment, { body: { name: 'Installed users', condition } });
      for (const path of ['/profiles', `/profiles/${profile.id}`, '/segments']) await expectNoViolations(page, path);
    });
  });
}
