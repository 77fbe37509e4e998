import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { expect, test } from './fixtures.ts';
import { confirm, inDialog, press, refuse, see, seedOwner } from './refusals.ts';
import { signInAs } from './session.ts';

/** The specification's words for what other journeys do not come to: failures above all. */

test('the texts for a page that could not be loaded', async ({ page, product }) => {
  const { customer, project, profileId } = await seedOwner(product.url);
  await signInAs(page, '/', customer);
  const loads: readonly [path: string, call: string, ...texts: string[]][] = [
    ['/projects', '/api/projects', 'Failed to load projects', 'Failed to fetch projects'],
    [`/projects/${project.id}`, `/api/projects/${project.id}`, 'Failed to load project', 'Failed to load project data'],
    [`/projects/${project.id}`, `/api/projects/${project.id}/messages`, 'Failed to load messages'],
    [`/projects/${project.id}`, `/api/projects/${project.id}/webhooks`, 'Failed to load webhooks'],
    [
      `/projects/${project.id}/phone-numbers`,
      `/api/projects/${project.id}/phone-numbers`,
      'Failed to load phone numbers',
    ],
    ['/profiles', '/api/profiles', 'Failed to fetch profiles'],
    [`/profiles/${profileId}`, `/api/profiles/${profileId}`, 'Failed to fetch profile'],
    ['/segments', '/api/segments', 'Failed to fetch segments'],
  ];
  for (const [path, call, ...texts] of loads) {
    await refuse(page, ['GET', call]);
    await page.goto(path);
    await see(page, ...texts);
  }
  await page.goto('/profiles/999999999');
  await see(page, 'Profile not found.');
  await refuse(page, ['GET', '/api/user/me']);
  await page.goto('/subscription');
  await see(page, 'Failed to fetch user data');
});

test('the texts for a sign-in or sign-up that failed', async ({ page }) => {
  for (const [path, call, button, text] of [
    ['/login', '/api/auth/login', 'Sign in', 'Login failed'],
    ['/signup', '/api/auth/register', 'Create account', 'Registration failed'],
  ] as const) {
    await refuse(page, ['POST', call]);
    await page.goto(path);
    if (path === '/signup') await page.getByLabel('Full name').fill('Ada');
    await page.getByLabel('Email').fill('ada@example.com');
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
    await press(page, button);
    await see(page, text);
  }
});

test('a project: its webhook, its keys, its end', async ({ page, product, context }) => {
  const { customer, project } = await seedOwner(product.url);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signInAs(page, `/projects/${project.id}`, customer);
  await see(page, 'API usage', 'Webhooks Records', 'Messages Records');
  await press(page, 'Copy Auth Key');
  await see(page, 'Auth key copied to clipboard');
  await press(page, 'Copy');
  await see(page, 'Code copied to clipboard!');
  await press(page, 'Copy webhook URL');
  await see(page, 'Webhook URL copied to clipboard');
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('denied'));
    document.execCommand = () => false;
  });
  await press(page, 'Copy Auth Key');
  await see(page, 'Failed to copy auth key');
  await press(page, 'Copy');
  await see(page, 'Failed to copy code.');

  await press(page, 'Edit webhook URL');
  await refuse(page, ['PUT', `/api/projects/${project.id}/webhook`]);
  await page.getByLabel('Webhook URL').first().fill('http://127.0.0.1:9/other');
  await press(page, 'Save Changes');
  await see(page, 'Failed to update webhook URL');
  await page.route('**/webhook', (route) => route.abort());
  await press(page, 'Save Changes');
  await see(page, 'Error updating webhook URL');
  await press(page, 'Save Changes');
  await see(page, 'Webhook URL updated successfully!');

  await page.goto('/projects');
  await page.getByRole('button', { name: /^Delete/ }).click();
  await refuse(page, ['DELETE', `/api/projects/${project.id}`]);
  await confirm(page, 'Delete');
  await see(page, 'Failed to delete project');
  await confirm(page, 'Delete');
  await see(page, 'Project deleted successfully', 'No projects');

  await refuse(page, ['POST', '/api/projects']);
  await page.goto('/projects/new');
  await page.getByLabel('Project Name').fill('Shop');
  await page.getByRole('button', { name: /create/i }).click();
  await see(page, 'Failed to create project');
});

test('a project that nothing has happened to yet', async ({ page, product }) => {
  const customer = await signUpSubscriber(product.url);
  const { id } = await makeProject(customer);
  await signInAs(page, `/projects/${id}`, customer);
  await see(page, 'No messages found.', 'No webhooks found.');
});

test('phone numbers: added, changed, disconnected, deleted', async ({ page, product }) => {
  const { customer, project, phoneId } = await seedOwner(product.url);
  const list = `/projects/${project.id}/phone-numbers`;
  await signInAs(page, list, customer);
  await see(page, 'Manage multiple WhatsApp phone numbers for message rotation');
  await see(page, 'Priority', 'Today', 'Total Messages', 'Last Used', 'Never');

  await press(page, 'Add Phone Number');
  await see(
    page,
    'Higher priority phones are used first',
    'Max Daily Messages',
    'Maximum messages per day for this phone',
  );
  await expect(inDialog(page).getByPlaceholder('+1234567890')).toBeVisible();
  await inDialog(page).getByLabel('Phone Number', { exact: true }).fill('+1 415 555 0199');
  await refuse(page, ['POST', `/api${list}`]);
  await confirm(page, 'Add Phone Number');
  await see(page, 'Failed to add phone number');
  await confirm(page, 'Cancel');
  await inDialog(page)
    .getByRole('button', { name: /discard/i })
    .click();

  await press(page, 'Edit');
  await see(page, 'Active (include in rotation)');
  await refuse(page, ['PUT', `/api/phone-numbers/${phoneId}`]);
  await confirm(page, 'Save Changes');
  await see(page, 'Failed to update phone number');
  await confirm(page, 'Save Changes');
  await see(page, 'Phone number updated successfully');

  await press(page, 'Disconnect');
  await refuse(page, ['POST', `/api/phone-numbers/${phoneId}/disconnect`]);
  await confirm(page, 'Disconnect');
  await see(page, 'Failed to disconnect phone');
  await confirm(page, 'Disconnect');
  await see(page, 'Phone disconnected successfully');

  await press(page, 'Delete');
  await see(page, 'Are you sure you want to delete this phone number? This action cannot be undone.');
  await refuse(page, ['DELETE', `/api/phone-numbers/${phoneId}`]);
  await confirm(page, 'Delete');
  await see(page, 'Failed to delete phone number');
  await confirm(page, 'Delete');
  await see(page, 'Phone number deleted successfully');
  await see(page, 'No phone numbers yet', 'Get started by adding your first WhatsApp phone number');
});

test('profiles and segments: hints, and what could not be deleted', async ({ page, product }) => {
  const { customer, profileId } = await seedOwner(product.url);
  await signInAs(page, `/profiles/${profileId}`, customer);
  await press(page, 'Delete');
  // A deletion that can be undone is an act in the background.
  await refuse(page, ['POST', '/api/bulk-actions']);
  await confirm(page, 'Delete');
  await see(page, 'Failed to delete profile');
  await confirm(page, 'Delete');
  await see(page, 'Profile deleted');

  await page.route('**/api/segments?*', async () => undefined);
  await page.goto('/segments');
  await expect(page.getByText('Loading segments...')).toBeAttached();
  await page.unrouteAll();
  await page.goto('/segments');
  await see(page, 'Group profiles by reusable conditions');
  await press(page, 'New Segment');
  await see(page, 'Use true/false/strings/numbers as needed.', 'Preview available after saving');
  await confirm(page, 'Cancel');
  await page.getByRole('button', { name: /^Delete/ }).click();
  await see(page, 'Delete segment "Reachable"?');
  await refuse(page, ['POST', '/api/bulk-actions']);
  await confirm(page, 'Delete');
  await see(page, 'Failed to delete segment');
});

test('settings: the email address, the password, the key', async ({ page, product }) => {
  const { customer } = await seedOwner(product.url);
  await signInAs(page, '/settings', customer);
  const changes: readonly {
    open: string;
    call: string;
    submit: string;
    fill: Record<string, string>;
    texts: [string, string];
  }[] = [
    {
      open: 'Change Email',
      call: '/api/auth/update-email',
      submit: 'Change Email',
      fill: { Email: `new-${customer.email}`, 'Current Password': customer.password },
      texts: ['Failed to update email', 'Email updated successfully'],
    },
    {
      open: 'Change Password',
      call: '/api/auth/update-password',
      submit: 'Change Password',
      fill: { 'Current Password': customer.password, 'New Password': 'another horse battery' },
      texts: ['Failed to update password', 'Password updated successfully'],
    },
    {
      open: 'Regenerate API key',
      call: '/api/auth/regenerate-api-key',
      submit: 'Regenerate',
      fill: {},
      texts: ['Failed to regenerate API key', 'API key regenerated successfully'],
    },
  ];
  for (const { open, call, submit, fill, texts } of changes) {
    await press(page, open);
    for (const [label, text] of Object.entries(fill))
      await inDialog(page).getByLabel(label, { exact: true }).fill(text);
    await refuse(page, ['POST', call]);
    await confirm(page, submit);
    await see(page, texts[0]);
    await confirm(page, submit);
    await see(page, texts[1]);
  }
});
