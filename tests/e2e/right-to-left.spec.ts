import { addPhoneNumber } from '#contracts/phone-numbers.ts';
import { createProfile } from '#contracts/profiles.ts';
import { createSegment } from '#contracts/segments.ts';
import { createProject } from '#contracts/projects.ts';
import { signUp, subscribe } from '#tests/support/customer.ts';
import { expect, test } from './fixtures.ts';
import { signInAs } from './session.ts';

const name = 'חנות (דרום) 12';

/** Texts to be seen that contain the name and are not set apart from what stands beside them, or stand at the wrong side. */
function findMisplaced(wanted: string): string[] {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  while (walker.nextNode()) {
    const { textContent, parentElement } = walker.currentNode;
    if (parentElement === null || !textContent?.includes(wanted) || parentElement.closest('option, script, .sr-only'))
      continue;
    const { textAlign, direction } = getComputedStyle(parentElement.closest(':not(bdi)') ?? parentElement);
    const isAside = textAlign === 'start' && direction === 'rtl';
    if (isAside || parentElement.closest('bdi, [dir="auto"]') === null) found.push(parentElement.outerHTML);
  }
  return found;
}

test('a name that is written from right to left keeps its place in every list', async ({ page, product }) => {
  test.setTimeout(180_000);
  const customer = await signUp(product.url);
  await subscribe(customer);
  const { body: project } = await customer.api.call(createProject, { body: { name } });
  const params = { projectId: project.id };
  await customer.api.call(addPhoneNumber, { params, body: { phone_number: '5511900000300', name } });
  const fields = { shop: 'Corner' };
  const { body: profile } = await customer.api.call(createProfile, {
    body: { phone: '+1 415 555 2671', name, custom_fields: fields },
  });
  const condition = { fieldPath: 'custom_fields.shop', operator: 'equals', value: 'Corner' } as const;
  await customer.api.call(createSegment, { body: { name, condition } });
  await signInAs(page, '/', customer);
  const pages = [
    '/',
    '/projects',
    `/projects/${project.id}`,
    `/projects/${project.id}/phone-numbers`,
    '/profiles',
    `/profiles/${profile.id}`,
    '/segments',
  ];
  for (const path of pages) {
    await page.goto(path);
    await expect(page.locator('main').getByText(name).filter({ visible: true }).first()).toBeVisible();
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    expect({ path, misplaced: await page.evaluate(findMisplaced, name) }).toEqual({ path, misplaced: [] });
  }
});
