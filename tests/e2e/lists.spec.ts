import { createCampaign } from '#contracts/campaigns.ts';
import { createFlow } from '#contracts/flows.ts';
import { receiveSandboxMessage } from '#contracts/messages.ts';
import { createProfile, listProfiles } from '#contracts/profiles.ts';
import { createSegment } from '#contracts/segments.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { expect, test } from './fixtures.ts';
import { signInAs } from './session.ts';

test('profiles are tagged together, undone, narrowed by the tag, added to a segment and deleted', async ({
  page,
  product,
}) => {
  const customer = await signUpSubscriber(product.url);
  for (const [index, name] of ['Ada', 'Bo', 'Cy'].entries()) {
    await customer.api.call(createProfile, { body: { phone: `1415555010${index}`, name } });
  }
  await signInAs(page, '/profiles', customer);
  const bar = page.getByRole('toolbar');
  const status = page.getByRole('region', { name: 'Bulk action' });
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await expect(bar).toHaveAccessibleName('Actions for 3 selected profiles');
  await bar.getByRole('button', { name: 'Tag', exact: true }).click();
  await page.getByRole('combobox', { name: 'Search tags' }).fill('VIP');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Tag: vip' }).click();
  await expect(status).toContainText('3 profiles tagged');
  await expect(page.getByRole('row', { name: /Ada/ })).toContainText('vip');
  await page.reload();
  await expect(status).toContainText('3 profiles tagged');
  await status.getByRole('button', { name: 'Undo' }).click();
  await expect(status).toContainText('Undone: 3 profiles as before');
  await expect(page.getByRole('row', { name: /Ada/ })).not.toContainText('vip');

  await page.getByRole('checkbox', { name: 'Select Bo' }).focus();
  await page.keyboard.press('x');
  await bar.getByRole('button', { name: 'Add to segment' }).click();
  await page.getByRole('button', { name: 'New segment', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'New segment of 1 profile' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Regulars');
  await dialog.getByRole('textbox', { name: 'Tag' }).fill('regular');
  await dialog.getByRole('button', { name: 'Create Segment' }).click();
  await expect(status).toContainText('1 profile tagged');

  await page.getByRole('button', { name: 'Segment', exact: true }).click();
  await page.getByRole('option', { name: 'Regulars' }).click();
  await expect(page.getByRole('heading', { name: '1 profile found' })).toBeVisible();
  await expect(page).toHaveURL(/segment_id=/);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Segment is Regulars', exact: true })).toBeVisible();
  await page.getByRole('checkbox', { name: 'Select Bo' }).check();
  await bar.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete 1 profile' }).click();
  await expect(status).toContainText('1 profile deleted');
  await expect.poll(async () => (await customer.api.call(listProfiles)).body.total).toBe(2);
});

test('columns are chosen and kept', async ({ page, product }) => {
  const customer = await signUpSubscriber(product.url);
  await customer.api.call(createProfile, { body: { phone: '14155550101', email: 'ada@example.com' } });
  await signInAs(page, '/profiles', customer);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Email' }).check();
  await page.getByRole('checkbox', { name: 'Valid' }).uncheck();
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(page.getByRole('cell', { name: 'ada@example.com' })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Valid' })).toHaveCount(0);
});

test('phones are cards or rows, found by name and number, and switched together', async ({ page, product }) => {
  const customer = await signUpSubscriber(product.url);
  const { id } = await makeProject(customer);
  await connectSandboxPhone(customer, id, { name: 'Support UK' });
  await connectSandboxPhone(customer, id, { name: 'مبيعات الرياض', phone_number: '+966501234567' });
  await signInAs(page, `/projects/${id}/phone-numbers`, customer);
  await expect(page.getByRole('article')).toHaveCount(2);
  await page.getByRole('button', { name: 'Rows' }).click();
  await expect(page.getByRole('row')).toHaveCount(3);
  await page.reload();
  await page.getByRole('searchbox', { name: 'Search phones' }).fill('+966 50');
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('link', { name: 'مبيعات الرياض' })).toBeVisible();
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByRole('button', { name: 'Deactivate' }).click();
  await expect(page.getByRole('region', { name: 'Bulk action' })).toContainText('1 phone deactivated');
  await expect(page.getByRole('row').nth(1)).toContainText('Inactive');
  await page.getByRole('link', { name: 'مبيعات الرياض' }).click();
  await expect(page).toHaveURL(/\/phone-numbers\/\d+$/);
  await expect(page.getByRole('navigation', { name: 'Main' }).locator('[aria-current="page"]')).toHaveText(
    'Phone numbers',
  );
});

test('a list of nothing offers nothing to narrow it by', async ({ page, product }) => {
  const customer = await signUpSubscriber(product.url);
  await signInAs(page, '/profiles', customer);
  await expect(page.getByText('No profiles yet')).toBeVisible();
  await expect(page.getByRole('searchbox')).toHaveCount(0);
  await page.goto('/messages');
  await expect(page.getByText('No messages yet')).toBeVisible();
  await expect(page.getByRole('searchbox')).toHaveCount(0);
  await customer.api.call(createProfile, { body: { phone: '14155550101' } });
  await page.goto('/profiles');
  await expect(page.getByRole('searchbox', { name: 'Search profiles' })).toBeVisible();
});

test('with many segments, one is found by its words: in the list, the picker and the palette', async ({
  page,
  product,
}) => {
  const customer = await signUpSubscriber(product.url);
  await connectSandboxPhone(customer, (await makeProject(customer)).id);
  const condition = { fieldPath: 'name', operator: 'exists', value: '' } as const;
  for (let week = 1; week <= 60; week += 1) {
    await customer.api.call(createSegment, { body: { name: `Week ${week} in São Paulo`, condition } });
  }
  await signInAs(page, '/segments', customer);
  const search = page.getByRole('searchbox', { name: 'Search segments' });
  await expect(search).toBeVisible();
  await page.keyboard.press('/');
  await expect(search).toBeFocused();
  await page.keyboard.type('sao 47');
  await expect(page.getByRole('heading', { name: '1 segment' })).toBeVisible();
  await page.goto('/campaigns');
  await page.getByRole('button', { name: 'New Campaign' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New Campaign' });
  await dialog.getByRole('combobox', { name: 'Segment', exact: true }).click();
  await expect(dialog.getByText('10 more: type to find them')).toBeVisible();
  await dialog.getByRole('combobox', { name: 'Search segments' }).fill('paulo 8');
  await expect(dialog.getByRole('option', { name: 'Week 7 in São Paulo' })).toHaveCount(0);
  await dialog.getByRole('option', { name: 'Week 8 in São Paulo' }).click();
  await expect(dialog.getByRole('combobox', { name: 'Segment', exact: true })).toHaveText('Week 8 in São Paulo');
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Open the command palette' })).toBeVisible();
  await page.keyboard.press('Control+k');
  // Its code is fetched with its first use.
  await page.getByRole('combobox', { name: 'Command palette' }).fill('paulo 33');
  await page.getByRole('option', { name: 'Week 33 in São Paulo' }).click();
  await expect(page.getByRole('dialog', { name: 'Edit Segment' })).toBeVisible();
});

test('a list is saved as a view, found again by its name, renamed and deleted', async ({ page, product }) => {
  const customer = await signUpSubscriber(product.url);
  const condition = { fieldPath: 'name', operator: 'exists', value: '' } as const;
  for (const name of ['Berlin', 'Bergen', 'Lima']) {
    await customer.api.call(createSegment, { body: { name, condition } });
  }
  await signInAs(page, '/segments', customer);
  const views = page.getByRole('button', { name: /^Views/ });
  const choose = async (item: string) => {
    await views.click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await page.getByRole('searchbox', { name: 'Search segments' }).fill('ber');
  await expect(page.getByRole('heading', { name: '2 segments' })).toBeVisible();
  await choose('Save as a view');
  const dialog = page.getByRole('dialog', { name: 'Save as a view' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Bears');
  await page.keyboard.press('Enter');
  await expect(views).toHaveText('Bears');
  await choose('All');
  await expect(page).toHaveURL('/segments');
  await expect(page.getByRole('heading', { name: '3 segments' })).toBeVisible();
  await choose('Bears');
  await expect(page).toHaveURL('/segments?search=ber');
  await expect(page.getByRole('heading', { name: '2 segments' })).toBeVisible();
  await page.getByRole('button', { name: 'Name', exact: true }).click();
  await expect(views).toHaveText('Bears (changed)');
  await choose('Update “Bears”');
  await expect(views).toHaveText('Bears');
  await page.reload();
  await expect(views).toHaveText('Bears');
  await choose('Delete view');
  await expect(views).toHaveText('Views');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(views).toHaveText('Bears');
  await choose('Delete view');
  await expect(views).toHaveText('Views');
});

test('segments are deleted together, campaigns paused together and resumed by Undo', async ({ page, product }) => {
  const customer = await signUpSubscriber(product.url);
  const project = await makeProject(customer);
  const condition = { fieldPath: 'name', operator: 'exists', value: '' } as const;
  const segments = [];
  for (const name of ['One', 'Two', 'Three']) {
    segments.push((await customer.api.call(createSegment, { body: { name, condition } })).body);
  }
  await customer.api.call(createProfile, { body: { phone: '14155550101', name: 'Ada' } });
  for (const name of ['Spring', 'Summer']) {
    // The project has no phone, so that the campaign waits.
    const body = { name, project_id: project.id, segment_id: segments[0]?.id ?? 0, message: 'Hi' };
    await customer.api.call(createCampaign, { body });
  }
  await signInAs(page, '/campaigns', customer);
  const status = page.getByRole('region', { name: 'Bulk action' });
  await expect(page.getByRole('row', { name: /Spring/ })).toContainText('Running');
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByRole('toolbar').getByRole('button', { name: 'Pause' }).click();
  await expect(status).toContainText('2 campaigns paused');
  await expect(page.getByRole('row', { name: /Spring/ })).toContainText('Paused');
  await status.getByRole('button', { name: 'Undo' }).click();
  await expect(status).toContainText('Undone: 2 campaigns as before');
  await expect(page.getByRole('row', { name: /Spring/ })).toContainText('Running');
  await page.goto('/segments');
  for (const name of ['Two', 'Three']) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete 2 segments' }).click();
  await expect(status).toContainText('2 segments deleted');
  await expect(page.getByRole('heading', { name: '1 segment' })).toBeVisible();
});

test('a flow has a page of its own, with what came of it and who answered', async ({ page, product }) => {
  const customer = await signUpSubscriber(product.url);
  const project = await makeProject(customer);
  const phone = await connectSandboxPhone(customer, project.id);
  await customer.api.call(createProfile, { body: { phone: '14155550101', name: 'Ada' } });
  const { body: flow } = await customer.api.call(createFlow, {
    body: {
      name: 'Welcome',
      conditions: [{ fieldPath: 'name', operator: 'exists' }],
      action: { projectId: project.id, message: 'Welcome {name}' },
      active: false,
    },
  });
  await signInAs(page, `/flows`, customer);
  await page.getByRole('button', { name: 'Actions for Welcome' }).click();
  await page.getByRole('menuitem', { name: 'Report' }).click();
  await expect(page).toHaveURL(`/flows/${flow.id}`);
  await expect(page.getByText('No deliveries yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Run now' }).click();
  await expect(page.getByRole('row', { name: /Welcome Ada/ })).toContainText('Read');
  await customer.api.call(receiveSandboxMessage, {
    params: { phoneId: phone.id },
    body: { from: '14155550101', message: 'Thank you' },
  });
  await expect(page.getByRole('row', { name: /Welcome Ada/ })).toContainText('Replied');
  const funnel = page.getByRole('region', { name: 'What became of it' });
  await expect(funnel.getByRole('listitem').filter({ hasText: 'Replied' })).toContainText('100%1');
  await page.getByRole('button', { name: 'Per day' }).click();
  await expect(page.getByRole('table', { name: 'What happened on each day' })).toBeAttached();
});
